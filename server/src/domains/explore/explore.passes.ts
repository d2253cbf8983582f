import type { Db } from '../../platform/database/pool.ts'
import type { KeyAxis } from './explore.axes.ts'
import { moveToColumn, rollupReader, type TopLimit, type SumRow } from './explore.queries.ts'
import { isInRollups, type Question } from './explore.question.ts'
import type { ScanAxis, SegmentScan } from './explore.scan.ts'
import { chooseTop, buildCellRows, buildMarginRows, buildTotalRows, type Margin } from './explore.top.ts'

/** Sums of one pass over the segments, 8 bytes each. */
const maxSums = 4_194_304
/** So few sums are added up in less time than a margin is read from rollups. */
const maxQuickSums = 65_536

interface Passes {
  readonly trx: Db
  readonly question: Question
  readonly axes: readonly KeyAxis[]
  readonly topLimits: readonly TopLimit[]
}

/**
 * Reads all sums. A margin that rollups have is read from them. One pass over the segments adds up the other margins with the cells
 * of all their keys. If these cells are too many, a first pass adds up the margins, and a second one the cells of the top keys.
 */
export async function readInPasses(scan: SegmentScan, passes: Passes): Promise<SumRow[]> {
  const { trx, question, axes, topLimits } = passes
  const periods = question.periods.length
  const countSums = (sizes: readonly number[]) =>
    sizes.reduce((product, size) => product * Math.max(size, 1), question.figures.length * periods)
  const isQuick = countSums(axes.map(({ size }) => size)) <= maxQuickSums
  const margins: (Margin | null)[] = []
  for (const at of axes.keys()) margins.push(isQuick ? null : await readRollupMargin(passes, at))

  const openIndexes = axes.flatMap((_, at) => (margins[at] === null ? [at] : []))
  const sides = axes.map((axis, at): ScanAxis => {
    const margin = margins[at] ?? null
    return margin === null ? { axis, top: null } : { axis, top: margin.top, hasRest: openIndexes.length > 0 }
  })
  const isOnePass =
    countSums(sides.map(({ axis, top }) => (top === null ? axis.size : top.length + 1))) <= maxSums
  const grids = await scan.read(isOnePass ? [sides] : openIndexes.map((at) => sides.slice(at, at + 1)))
  for (const [gridIndex, at] of openIndexes.entries()) {
    const grid =
      isOnePass && axes.length > 1 ? grids[0]?.sumAlong(at === 0 ? 0 : 1, periods) : grids[gridIndex]
    const [axis, topLimit] = [axes[at], topLimits[at]]
    if (grid === undefined || axis === undefined || topLimit === undefined) continue
    const { top, count } = await chooseTop(trx, axis, { grid, topLimit, periods })
    const keys = await axis.readKeys(trx, top)
    const rows = buildMarginRows(question, { at, keys, top, count, grid })
    margins[at] = { top, keys, rows, totals: buildTotalRows(question, grid) }
  }
  const knownMargins = margins.filter((margin) => margin !== null)
  const rows = [...(knownMargins[0]?.totals ?? []), ...knownMargins.flatMap((margin) => margin.rows)]
  if (axes.length === 1) return rows
  const tops = axes.map((axis, at): ScanAxis => ({ axis, top: margins[at]?.top ?? [] }))
  const [cells] = isOnePass ? grids : await scan.read([tops])
  if (cells === undefined) throw new Error('the cells were not read')
  const isWhole = sides.map(({ top }) => isOnePass && top === null)
  return [...rows, ...buildCellRows(question, { margins: knownMargins, isWhole, grid: cells })]
}

/** The margin of one dimension from rollups; null if they do not have all that the question asks for. */
async function readRollupMargin(
  { trx, question, axes, topLimits }: Passes,
  at: number,
): Promise<Margin | null> {
  const [axis, topLimit] = [axes[at], topLimits[at]]
  if (axis === undefined || topLimit === undefined) return null
  const margin = { ...question, dimensions: [axis.name] }
  if (!isInRollups(margin, false)) return null
  const rows = await rollupReader.readAll(trx, margin, [topLimit])
  const keys = new Map<number, string>()
  for (const { kind, row_key: key } of rows)
    if (kind === 'row' && key !== null) keys.set(axis.findSlot(key), key)
  const place = (row: SumRow): SumRow => (at === 0 ? row : moveToColumn(row))
  return {
    top: [...keys.keys()],
    keys,
    rows: rows.flatMap((row) => (row.kind === 'row' ? [place(row)] : [])),
    totals: rows.filter(({ kind }) => kind === 'total'),
  }
}
