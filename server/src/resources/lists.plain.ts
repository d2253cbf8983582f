import type { Statement } from '../platform/exports/exports.rows.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Where } from './lists.where.ts'

interface PlainListParts {
  id: string
  /** One row as JSON. */
  item: string
  from: string
  order: string
  /** SQL condition of the rows that the caller may see. Its parameters are the first ones of `matching`. */
  visible: string
  matching: Where
}

/** Builds the statement of a small list, whose rows are counted at each request. */
export function buildPlainListQuery(
  { id, item, from, order, visible, matching }: PlainListParts,
  range: RowRange,
): Statement {
  const where = matching.toString()
  const rows = (matches: string) => `select ${item} as item from ${from} where ${matches} ${order}`
  if (range === 'all') return { text: `select item::text from (${rows(where)}) r`, values: matching.values }
  const limit = `limit ${matching.addParameter(range.size)} offset ${matching.addParameter(range.offset)}`
  // The ids are selected first, so that only the rows of the page are converted to JSON.
  const page = rows(`${id} in (select ${id} from ${from} where ${where} ${order} ${limit})`)
  return {
    text: `select items, count, (select count(*) from ${from} where ${where}) as filtered,
      (select count(*) from ${from} where ${visible}) as total
      from (select count(*) as count, coalesce(json_agg(item), '[]')::text as items from (${page}) r) i`,
    values: matching.values,
  }
}
