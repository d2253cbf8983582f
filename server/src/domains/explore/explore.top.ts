import { dimensions } from '@karvon/contract/explore/explore.dimensions.ts'
import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { KeyAxis } from './explore.axes.ts'
import type { Grid } from './explore.grid.ts'
import { moveToColumn, type TopLimit, type SumRow } from './explore.queries.ts'
import type { Question } from './explore.question.ts'

const listNumbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

/**
 * The slots (numbers of keys) of the top keys, and the number of all keys that have leads. Keys with equal sums are chosen in the order of
 * their ids or texts.
 */
export async function chooseTop(
  trx: Db,
  axis: KeyAxis,
  { grid, topLimit: { size, rank }, periods }: { grid: Grid; topLimit: TopLimit; periods: number },
): Promise<{ top: number[]; count: number }> {
  const foundSlots: number[] = []
  for (let slot = 0; slot < axis.size; slot += 1)
    for (let period = 0; period < periods; period += 1)
      if (grid.get(period, 'leads', slot) !== 0) {
        foundSlots.push(slot)
        break
      }
  if (foundSlots.length <= size) return { top: foundSlots, count: foundSlots.length }
  if (dimensions[axis.name].kind === 'period')
    return { top: foundSlots.slice(-size), count: foundSlots.length }
  const rankOf = (slot: number) =>
    Math.max(...listNumbers(periods).map((period) => Math.abs(grid.get(period, rank, slot))))
  const ranks = Float64Array.from(foundSlots, rankOf)
  const lowestRank = ranks.toSorted()[foundSlots.length - size] ?? 0
  const slotsAbove = foundSlots.filter((_, at) => (ranks[at] ?? 0) > lowestRank)
  const equalSlots = foundSlots.filter((_, at) => ranks[at] === lowestRank)
  const slotsLeft = size - slotsAbove.length
  const firstSlots =
    equalSlots.length === slotsLeft ? equalSlots : await axis.findFirst(trx, equalSlots, slotsLeft)
  return { top: [...slotsAbove, ...firstSlots], count: foundSlots.length }
}

/** The top keys of a dimension by their slots, and the number of all keys that have leads. */
export interface TopKeys {
  readonly top: readonly number[]
  readonly keys: ReadonlyMap<number, string>
  readonly count: number
}

/** The top keys of a dimension, with rows of their sums and of the totals. */
export interface Margin extends Omit<TopKeys, 'count'> {
  readonly rows: readonly SumRow[]
  readonly totals: readonly SumRow[]
}

type Figures = Pick<Question, 'figures' | 'periods'>

const buildSums = ({ figures }: Figures, value: (figure: SumFigure) => number) =>
  Object.fromEntries(figures.map((figure) => [figure, String(value(figure))])) as Record<SumFigure, string>

/** The rows are in the form in which SQL answers them. Without leads there is no row. */
const hasLeads = (row: SumRow): boolean => row.leads !== '0'

/** The sums of all keys of a margin. */
export const buildTotalRows = (question: Figures, grid: Grid): SumRow[] =>
  [...question.periods.keys()]
    .map((period): SumRow => {
      const sums = buildSums(question, (figure) =>
        listNumbers(grid.rows).reduce((sum, row) => sum + grid.get(period, figure, row), 0),
      )
      return { kind: 'total', period, row_key: null, column_key: null, key_count: 0, ...sums }
    })
    .filter(hasLeads)

/** The sums of the top keys. `isWhole`: the grid has all slots, and not only those of the top keys. */
export const buildMarginRows = (
  question: Figures,
  { at, keys, top, count, isWhole, grid }: TopKeys & { at: number; isWhole: boolean; grid: Grid },
): SumRow[] =>
  [...question.periods.keys()].flatMap((period) =>
    top
      .map((slot, place): SumRow => {
        const sums = buildSums(question, (figure) => grid.get(period, figure, isWhole ? slot : place))
        const key = keys.get(slot) ?? ''
        const row = {
          kind: 'row',
          period,
          row_key: key,
          column_key: null,
          key_count: count,
          ...sums,
        } as const
        return at === 0 ? row : moveToColumn(row)
      })
      .filter(hasLeads),
  )

/**
 * The sums of the cells of the top keys. `isWhole` says for each axis whether the grid has all its slots or
 * only the top slots.
 */
export function buildCellRows(
  question: Figures,
  { margins, isWhole, grid }: { margins: readonly Margin[]; isWhole: readonly boolean[]; grid: Grid },
): SumRow[] {
  const [rowKeys = [], columnKeys = []] = margins.map(({ top, keys }, at) =>
    top.map((slot, place) => ({ key: keys.get(slot) ?? '', place: isWhole[at] === true ? slot : place })),
  )
  return [...question.periods.keys()].flatMap((period) =>
    rowKeys.flatMap((row) =>
      columnKeys
        .map((column): SumRow => {
          const cell = row.place * grid.columns + column.place
          const sums = buildSums(question, (figure) => grid.get(period, figure, cell))
          return { kind: 'cell', period, row_key: row.key, column_key: column.key, key_count: 0, ...sums }
        })
        .filter(hasLeads),
    ),
  )
}
