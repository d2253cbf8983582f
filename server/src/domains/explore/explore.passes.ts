import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { KeyAxis } from './explore.axes.ts'
import type { Grid } from './explore.grid.ts'
import { moveToColumn, rollupReader, type TopLimit, type SumRow } from './explore.queries.ts'
import { isInRollups, type Question } from './explore.question.ts'
import type { ScanAxis, SegmentScan } from './explore.scan.ts'
import {
  chooseTop,
  buildCellRows,
  buildMarginRows,
  buildTotalRows,
  type Margin,
  type TopKeys,
} from './explore.top.ts'

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
 * of all their keys. If these cells are too many, a first pass adds up the figures that choose the top keys, and a second one the
 * cells and the margins of the top keys.
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
    axes.length === 1 ||
    countSums(sides.map(({ axis, top }) => (top === null ? axis.size : top.length + 1))) <= maxSums
  const firstGrids = isOnePass
    ? await scan.read([sides], question.figures)
    : await scan.read(
        openIndexes.map((at) => sides.slice(at, at + 1)),
        listRankFigures(passes),
      )
  const marginOf = (grid: Grid, at: number) =>
    axes.length > 1 ? grid.sumAlong(at === 0 ? 0 : 1, periods) : grid
  const marginGrids = new Map<number, Grid>()
  const chosenKeys: (TopKeys | null)[] = axes.map(() => null)
  for (const [gridIndex, at] of openIndexes.entries()) {
    const [axis, topLimit] = [axes[at], topLimits[at]]
    const grid = isOnePass ? firstGrids[0] && marginOf(firstGrids[0], at) : firstGrids[gridIndex]
    if (grid === undefined || axis === undefined || topLimit === undefined) continue
    if (isOnePass) marginGrids.set(at, grid)
    const { top, count } = await chooseTop(trx, axis, { grid, topLimit, periods })
    chosenKeys[at] = { top, count, keys: await axis.readKeys(trx, top) }
  }
  const topSides = axes.map((axis, at): ScanAxis => {
    const { top } = margins[at] ?? chosenKeys[at] ?? { top: [] }
    return { axis, top, hasRest: true }
  })
  const [cells] = isOnePass ? firstGrids : await scan.read([topSides], question.figures)
  if (cells === undefined) throw new Error('the cells were not read')
  const isWhole = sides.map(({ top }) => isOnePass && top === null)
  for (const [at, topKeys] of chosenKeys.entries()) {
    if (topKeys === null) continue
    const grid = marginGrids.get(at) ?? marginOf(cells, at)
    const rows = buildMarginRows(question, { at, ...topKeys, isWhole: isWhole[at] === true, grid })
    margins[at] = { ...topKeys, rows, totals: buildTotalRows(question, grid) }
  }
  const knownMargins = margins.filter((margin) => margin !== null)
  const rows = [...(knownMargins[0]?.totals ?? []), ...knownMargins.flatMap((margin) => margin.rows)]
  if (axes.length === 1) return rows
  return [...rows, ...buildCellRows(question, { margins: knownMargins, isWhole, grid: cells })]
}

/** The figures that choose the top keys. */
const listRankFigures = ({ question, topLimits }: Passes): SumFigure[] =>
  question.figures.filter((figure) => figure === 'leads' || topLimits.some(({ rank }) => rank === figure))

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
