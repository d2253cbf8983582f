import type { PageRange } from '../platform/http/paging.ts'
import type { Where } from './lists.where.ts'

/** The tables whose triggers count the rows of each range of ids in `row_ranges`. */
export const rangedTables: ReadonlySet<string> = new Set(['offers', 'streams'])

/** Ids in a range, as the triggers count them. A range consists of ranges of the next size. */
export const rangeSizes = [262_144, 8192, 256] as const
const smallest = rangeSizes[2]

/** Parts of the statement of a page. */
interface RangedPage {
  /** Queries of `with` that find the smallest range with the first row of the page. */
  queries: string
  /** The condition of that range and all later ones. */
  condition: string
  /** The rows of these ranges before the page. */
  offset: string
}

/**
 * Finds a page of all rows of a table in the order of their ids. It adds up the rows of the largest ranges, then those
 * of the smaller ranges in the found one, and skips less than one smallest range. Behind the last row it finds nothing.
 */
export function findRangedPage(
  { table, alias, direction }: { table: string; alias: string; direction: 'asc' | 'desc' },
  { offset }: PageRange,
  where: Where,
): RangedPage {
  const parameter = `${where.addParameter(offset)}::bigint`
  const queries = rangeSizes.map((size, index) => {
    const outerSize = rangeSizes[index - 1]
    const skippedRows = outerSize === undefined ? parameter : `(select skipped from range_${outerSize})`
    const bounds =
      outerSize === undefined
        ? ''
        : ` and first_id >= (select first_id from range_${outerSize}) and first_id < (select first_id + ${outerSize} from range_${outerSize})`
    return `range_${size} as (select first_id, ${skippedRows} - before as skipped from (
  select first_id, sum(rows) as rows, sum(sum(rows)::integer) over (order by first_id ${direction}) - sum(rows) as before
  from row_ranges where table_name = '${table}' and size = ${size}${bounds} group by first_id) sums
where before <= ${skippedRows} and before + rows > ${skippedRows}),\n`
  })
  const first = `(select first_id from range_${smallest})`
  return {
    queries: queries.join(''),
    condition: direction === 'asc' ? `${alias}.id >= ${first}` : `${alias}.id < ${first} + ${smallest}`,
    offset: `(select skipped from range_${smallest})`,
  }
}
