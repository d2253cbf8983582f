import { getListKeys, type Resource } from '@karvon/contract/lib/resource.ts'
import type pg from 'pg'
import type { ExportRows } from '../platform/exports/exports.rows.ts'
import type { RawJson } from '../platform/http/raw-json.ts'
import { buildResourceList, buildRowColumns, type ExtraColumns, type ResourceQuery } from './crud.queries.ts'
import { answerList } from './lists.answer.ts'
import type { ListDeclaration } from './lists.queries.ts'

/**
 * Creates the reader of a resource's list for a validated query. With `format` it returns all rows, without aliases of
 * fields. `transformRow` changes each row in JavaScript (masks).
 */
export function createListReader(
  pool: pg.Pool,
  {
    resource,
    extraColumns: extra,
    transformRow,
  }: { resource: Resource; extraColumns: ExtraColumns; transformRow: ListDeclaration['transformRow'] },
): (query: ResourceQuery) => Promise<RawJson | ExportRows> {
  const entries = Object.entries(resource.fields)
  const omittedKeys = new Set(entries.flatMap(([key, field]) => (field.aliasOf === undefined ? [] : [key])))
  const options = {
    columns: buildRowColumns(resource, extra),
    filterKeys: new Set(getListKeys(resource.fields)),
  }
  const build = (query: ResourceQuery): ListDeclaration => ({
    ...buildResourceList(resource, query, options),
    transformRow,
    omittedKeys,
  })
  const hasFilters = (query: ResourceQuery) =>
    query.search !== undefined || Object.keys(query).some((key) => options.filterKeys.has(key))
  /** By sort. Most requests ask for a list without filters, so these lists and their first pages are built once. */
  const unfilteredLists = new Map<unknown, ListDeclaration>()
  return (query) => {
    if (hasFilters(query)) return answerList(pool, query, build(query))
    let list = unfilteredLists.get(query.sort)
    if (list === undefined) {
      list = { ...build(query), firstPages: new Map() }
      unfilteredLists.set(query.sort, list)
    }
    return answerList(pool, query, list)
  }
}
