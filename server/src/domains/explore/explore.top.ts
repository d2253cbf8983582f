import { dimensions } from '@karvon/contract/explore/explore.dimensions.ts'
import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { KeyAxis } from './explore.axes.ts'
import type { Grid } from './explore.grid.ts'
import type { Cut, SumRow } from './explore.queries.ts'
import type { Question } from './explore.question.ts'

const listNumbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

/** The slots of the top keys, and the number of all keys that have leads. Equal keys are taken in their order. */
export async function chooseTop(
  trx: Db,
  axis: KeyAxis,
  { grid, cut: { size, rank }, periods }: { grid: Grid; cut: Cut; periods: number },
): Promise<{ top: number[]; count: number }> {
  const found: number[] = []
  for (let slot = 0; slot < axis.size; slot += 1)
    for (let p = 0; p < periods; p += 1)
      if (grid.get(p, 'leads', slot) !== 0) {
        found.push(slot)
        break
      }
  if (found.length <= size) return { top: found, count: found.length }
  if (dimensions[axis.name].kind === 'period') return { top: found.slice(-size), count: found.length }
  const rankOf = (slot: number) =>
    Math.max(...listNumbers(periods).map((p) => Math.abs(grid.get(p, rank, slot))))
  const ranks = Float64Array.from(found, rankOf)
  const lowest = ranks.toSorted()[found.length - size] ?? 0
  const above = found.filter((_, at) => (ranks[at] ?? 0) > lowest)
  const equal = found.filter((_, at) => ranks[at] === lowest)
  const left = size - above.length
  const first = equal.length === left ? equal : await axis.findFirst(trx, equal, left)
  return { top: [...above, ...first], count: found.length }
}

/** The sums in the form in which SQL answers them. */
export async function writeSums(
  trx: Db,
  {
    question: { figures, periods },
    axes,
    grids,
    counts,
    tops,
    cellGrid,
    isCut,
  }: {
    question: Question
    axes: readonly KeyAxis[]
    grids: readonly Grid[]
    counts: readonly number[]
    tops: readonly (readonly number[])[]
    cellGrid: Grid | undefined
    /** Whether the cells are those of the top keys alone. */
    isCut: boolean
  },
): Promise<SumRow[]> {
  const keys: Map<number, string>[] = []
  for (const [at, axis] of axes.entries()) keys.push(await axis.readKeys(trx, tops[at] ?? []))
  const keyOf = (at: number, slot: number) => keys[at]?.get(slot) ?? ''
  const sumsOf = (value: (figure: SumFigure) => number) =>
    Object.fromEntries(figures.map((each) => [each, String(value(each))])) as Record<SumFigure, string>
  const rows: SumRow[] = []
  for (const p of periods.keys()) {
    const [first] = grids
    if (first === undefined) continue
    const total = sumsOf((figure) => {
      let sum = 0
      for (let row = 0; row < first.rows; row += 1) sum += first.get(p, figure, row)
      return sum
    })
    if (total.leads !== '0') rows.push({ kind: 't', p, k0: null, k1: null, n: 0, ...total })
    for (const [at, top] of tops.entries())
      for (const slot of top) {
        const sums = sumsOf((figure) => grids[at]?.get(p, figure, slot) ?? 0)
        const key = keyOf(at, slot)
        const place =
          at === 0 ? { kind: 'r' as const, k0: key, k1: null } : { kind: 'c' as const, k0: null, k1: key }
        if (sums.leads !== '0') rows.push({ ...place, p, n: counts[at] ?? 0, ...sums })
      }
    if (cellGrid === undefined) continue
    for (const [rowPlace, rowSlot] of (tops[0] ?? []).entries())
      for (const [columnPlace, columnSlot] of (tops[1] ?? []).entries()) {
        const cell = isCut
          ? rowPlace * cellGrid.columns + columnPlace
          : rowSlot * cellGrid.columns + columnSlot
        const sums = sumsOf((figure) => cellGrid.get(p, figure, cell))
        if (sums.leads !== '0')
          rows.push({ kind: 'x', p, k0: keyOf(0, rowSlot), k1: keyOf(1, columnSlot), n: 0, ...sums })
      }
  }
  return rows
}
