import type { Statement } from '../platform/exports/exports.rows.ts'
import type { Span } from '../platform/http/paging.ts'
import type { Where } from './lists.where.ts'

interface PlainList {
  id: string
  /** One row as JSON. */
  item: string
  from: string
  order: string
  /** What the caller may see; its parameters stand in `matching` first. */
  visible: string
  matching: Where
}

/** The statement of a list whose rows are few enough to be counted each time. */
export function plainListText(
  { id, item, from, order, visible, matching }: PlainList,
  span: Span,
): Statement {
  const where = matching.toString()
  const rows = (matches: string) => `select ${item} as item from ${from} where ${matches} ${order}`
  if (span === 'all') return { text: `select item::text from (${rows(where)}) r`, values: matching.values }
  const limit = `limit ${matching.value(span.size)} offset ${matching.value(span.offset)}`
  // First the ids, so that only the rows of the page become JSON.
  const page = rows(`${id} in (select ${id} from ${from} where ${where} ${order} ${limit})`)
  return {
    text: `select items, count, (select count(*) from ${from} where ${where}) as filtered,
      (select count(*) from ${from} where ${visible}) as total
      from (select count(*) as count, coalesce(json_agg(item), '[]')::text as items from (${page}) r) i`,
    values: matching.values,
  }
}
