import {
  getListKeys,
  getReadableFields,
  getReferenceName,
  type Resource,
} from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { getTableName } from '../platform/database/pg-errors.ts'
import type { ListDeclaration } from './lists.queries.ts'
import { rangedTables } from './lists.ranges.ts'
import { buildSearchPattern, buildTextOrder, Where } from './lists.where.ts'

/** SQL expressions over the row `t`, by their keys in the answer. */
export type ExtraColumns = Readonly<Record<string, string>>

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
const columnOf = (key: string) => `t.${quoteName(key)}`

/**
 * The select list of a row as the API returns it, in the order of its schema: fields, `{id, name}` for each reference,
 * extra columns, times.
 */
export function buildRowColumns(resource: Resource, extraColumns: ExtraColumns = {}): string {
  const parts = [columnOf('id')]
  for (const [key, field] of getReadableFields(resource.fields)) {
    parts.push(`${columnOf(field.aliasOf ?? key)} as ${quoteName(key)}`)
    if (field.kind === 'reference')
      parts.push(`${selectReference(key, field.target)} as ${quoteName(getReferenceName(key))}`)
  }
  for (const [key, expression] of Object.entries(extraColumns))
    parts.push(`${expression} as ${quoteName(key)}`)
  return [...parts, columnOf('created_at'), columnOf('updated_at')].join(', ')
}

/** A subquery by primary key for each row: the planner cannot turn it into a scan of the other table. */
const selectReference = (key: string, to: string | undefined) =>
  selectFromReference(key, to, (name) => `json_build_object('id', r.id, 'name', ${name})`)

/** `buildValue` builds the selected expression from the column of the name. */
function selectFromReference(
  key: string,
  to: string | undefined,
  buildValue: (name: string) => string,
): string {
  const target = resources.find((resource) => resource.name === to)
  if (target === undefined) throw new Error(`${key} refers to ${to ?? 'nothing'}, which is no resource`)
  const value = buildValue(`r.${quoteName(target.nameField)}`)
  return `(select ${value} from ${getTableName(target)} r where r.id = ${columnOf(key)})`
}

/** SQL of one row as JSON text, by id ($1). */
export const buildRowSql = (resource: Resource, extraColumns?: ExtraColumns): string =>
  `select row_to_json(j)::text as row from (select ${buildRowColumns(resource, extraColumns)} from ${getTableName(resource)} t where t.id = $1) j`

/** The validated query of a resource's list. */
export type ResourceQuery = Readonly<Record<string, unknown>>

/** The list of a resource for a validated query. Filters compare for equality; the search column is a part of the text. */
export function buildResourceList(
  resource: Resource,
  query: ResourceQuery,
  options: { columns?: string; filterKeys?: ReadonlySet<string> } = {},
): ListDeclaration {
  const { searchBy, pageSize } = resource.quirks
  const where = new Where()
  const filterKeys = options.filterKeys ?? new Set(getListKeys(resource.fields))
  // The order of the keys is fixed, so that equal filters have one prepared statement.
  const keys = Object.keys(query).filter((key) => filterKeys.has(key))
  for (const key of keys.toSorted()) {
    const value = query[key]
    const isPart = key === searchBy && typeof value === 'string'
    where.and(
      `${columnOf(key)} ${key === searchBy ? '~*' : '='} ?`,
      isPart ? buildSearchPattern(value.trim()) : value,
    )
  }
  const { search } = query
  if (typeof search === 'string')
    where.and(buildSearch(resource, where.addParameter(buildSearchPattern(search))))
  const sort = typeof query.sort === 'string' ? query.sort : '-id'
  return {
    table: getTableName(resource),
    alias: 't',
    item: { columns: options.columns ?? buildRowColumns(resource) },
    where,
    order: buildOrder(resource, sort, false),
    reversedOrder: buildOrder(resource, sort, true),
    rangeDirection: findRangeDirection(getTableName(resource), sort, where),
    planning: 'constants',
    defaultPageSize: pageSize,
  }
}

/**
 * A stable order: equal values are sorted by id, so that no row appears on two pages. Rows without a value are last, unless
 * the order is reversed.
 */
function buildOrder({ fields }: Resource, sort: string, isReversed: boolean): string {
  const descending = sort.startsWith('-') !== isReversed
  const key = sort.replace(/^-/, '')
  const field = fields[key]
  const way = descending ? 'desc' : 'asc'
  const column = columnOf(key)
  const value = readTextKinds.has(field?.kind) ? buildTextOrder(column) : column
  // Rows that people did not type can lack a reference that the form requires. Without nulls, a plain index has the order.
  const hasNulls = field !== undefined && (field.kind === 'reference' || field.required === 'never')
  const nulls = hasNulls ? ` nulls ${isReversed ? 'first' : 'last'}` : ''
  return `order by ${key === 'id' ? '' : `${value} ${way}${nulls}, `}${columnOf('id')} ${way}`
}

/** Kinds of texts that people read. Ids of other systems and addresses are codes. */
const readTextKinds: ReadonlySet<string | undefined> = new Set(['text', 'email'])

/** Only all rows in the order of their ids are counted by ranges. */
function findRangeDirection(table: string, sort: string, where: Where): 'asc' | 'desc' | undefined {
  if (!rangedTables.has(table) || where.toString() !== 'true') return undefined
  if (sort === 'id') return 'asc'
  return sort === '-id' ? 'desc' : undefined
}

/** Searches the texts of a row; without texts of its own, the names of its references. */
function buildSearch(resource: Resource, parameter: string): string {
  const fields = getReadableFields(resource.fields)
  const texts = fields.flatMap(([key, field]) => (field.search ? [columnOf(key)] : []))
  const names = fields.flatMap(([key, { kind, target }]) =>
    kind === 'reference' ? [selectFromReference(key, target, (name) => name)] : [],
  )
  return `(${(texts.length > 0 ? texts : names).map((text) => `${text} ~* ${parameter}`).join(' or ')})`
}
