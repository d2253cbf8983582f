import { isMoneyFigure } from '@karvon/contract/explore/explore.metrics.ts'
import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { Db } from '../../platform/database/pool.ts'
import { decodeCodes, decodeSums } from '../segments/segments.codes.ts'
import { isSpanColumn, maxSegmentLeads, type SegmentColumn } from '../segments/segments.columns.ts'
import { readSegments, readSpans, type Segment, type SpanPart } from '../segments/segments.read.queries.ts'
import type { Slices } from '../segments/segments.slices.queries.ts'
import type { Span } from '../segments/segments.spans.ts'
import { columnOf, type KeyAxis } from './explore.axes.ts'
import { noPlace, type Mask } from './explore.masks.ts'
import type { ChangedLeads } from './explore.changed.ts'
import { readEffects, type StatusEffects } from './explore.effects.ts'
import { Grid } from './explore.grid.ts'
import type { Question } from './explore.question.ts'
import type { PlannedDay } from './explore.segments.queries.ts'

/** The sums could be larger than numbers are exact. */
export class SumTooLargeError extends Error {}

/** An axis of a pass: all its slots, or some of them in the order of `top` and, with `hasRest`, one place for all others. */
export interface ScanAxis {
  readonly axis: KeyAxis
  readonly top: readonly number[] | null
  readonly hasRest?: boolean
}

/** What the days of a period are read from. Each day is in one of them. */
export interface PeriodPlan {
  readonly days: readonly PlannedDay[]
  readonly spans: readonly Span[]
  readonly changedDays: readonly PlannedDay[]
}

interface Source {
  readonly question: Question
  readonly plans: readonly PeriodPlan[]
  readonly changedLeads: readonly ChangedLeads[]
  readonly columns: readonly SegmentColumn[]
  readonly masks: readonly Mask[]
  /** The slices of segments that have all leads that count; null: all. */
  readonly slices: Slices | null
}

/**
 * A grid that a pass fills. A place is what a key of an axis adds to the number of a lead's cell. `placeByCode` is null for a
 * time, which is the same for all leads of a day.
 */
interface Target {
  readonly grid: Grid
  readonly axes: readonly {
    axis: KeyAxis
    at: 0 | 1
    placeBySlot: Int32Array
    placeByCode: Int32Array | null
  }[]
}

/** Adds up the leads of segments, and the groups of changed days. A pass reads the segments once. */
export class SegmentScan {
  readonly #trx: Db
  readonly #source: Source
  readonly #buffers = new Map<SegmentColumn, Int32Array>()
  readonly #cells = new Int32Array(maxSegmentLeads)
  readonly #ones = new Int32Array(maxSegmentLeads).fill(1)
  readonly #weights = new Int32Array(maxSegmentLeads)
  readonly #sums = new Float64Array(maxSegmentLeads)
  /** What the current pass reads and adds up. */
  #columns: readonly SegmentColumn[] = []
  #effects: StatusEffects | undefined
  #largestSum = 0

  constructor(trx: Db, source: Source) {
    this.#trx = trx
    this.#source = source
    for (const column of source.columns) this.#buffers.set(column, new Int32Array(maxSegmentLeads))
  }

  /** One grid of these figures for each list of axes. */
  async read(lists: readonly (readonly ScanAxis[])[], figures: readonly SumFigure[]): Promise<Grid[]> {
    const { plans, slices } = this.#source
    const columns = this.#listColumns(lists.flat(), figures)
    this.#columns = columns
    this.#effects = await readEffects(this.#trx, figures)
    this.#largestSum = 0
    const targets = lists.map((list) => this.#createTarget(list, figures))
    for (const [period, { days, changedDays: changed, spans }] of plans.entries()) {
      this.#addChanged(targets, { period, changed })
      const byDay = new Map(days.map((plannedDay) => [plannedDay.day, plannedDay]))
      for await (const segment of readSegments(this.#trx, { days: [...byDay.keys()], columns, slices }))
        if (segment.leads > 0) this.#addSegment(targets, { period, segment, day: byDay.get(segment.day) })
      for await (const part of readSpans(this.#trx, { spans, columns: columns.filter(isSpanColumn) }))
        this.#addSpanPart(targets, { period, part })
    }
    if (figures.length > 0 && this.#largestSum > Number.MAX_SAFE_INTEGER) throw new SumTooLargeError()
    return targets.map(({ grid }) => grid)
  }

  /** The columns that a pass needs, of those of the question. */
  #listColumns(axes: readonly ScanAxis[], figures: readonly SumFigure[]): SegmentColumn[] {
    const { columns, masks } = this.#source
    const neededColumns = new Set<SegmentColumn | null>([
      ...masks.map(({ column }) => column),
      ...axes.map(({ axis }) => columnOf(axis.name)),
      ...(figures.length > 1 ? (['status'] as const) : []),
      ...(figures.some(isMoneyFigure) ? (['payout'] as const) : []),
    ])
    return columns.filter((column) => neededColumns.has(column))
  }

  #createTarget(list: readonly ScanAxis[], figures: readonly SumFigure[]): Target {
    const { question } = this.#source
    const sizes = list.map(({ axis, top, hasRest }) =>
      Math.max(top === null ? axis.size : top.length + (hasRest === true ? 1 : 0), 1),
    )
    const [rows = 1, columns = 1] = sizes
    const shape = { rows, columns, periods: question.periods.length, figures }
    const axes = list.map(({ axis, top, hasRest }, position) => {
      const stride = position === 0 ? columns : 1
      const placeBySlot = new Int32Array(axis.size)
      if (top === null) for (let slot = 0; slot < axis.size; slot += 1) placeBySlot[slot] = slot * stride
      else {
        placeBySlot.fill(hasRest === true ? top.length * stride : noPlace)
        for (const [rank, slot] of top.entries()) placeBySlot[slot] = rank * stride
      }
      return {
        axis,
        at: question.dimensions.indexOf(axis.name) === 0 ? (0 as const) : (1 as const),
        placeBySlot,
        placeByCode: axis.slots?.map((slot) => placeBySlot[slot] ?? noPlace) ?? null,
      }
    })
    return { grid: new Grid(shape), axes }
  }

  #addChanged(
    targets: readonly Target[],
    { period, changed }: { period: number; changed: readonly PlannedDay[] },
  ): void {
    const days = new Map(changed.map((plannedDay) => [plannedDay.day, plannedDay]))
    for (const { day, leads, columns, largestPayout } of this.#source.changedLeads) {
      const plannedDay = days.get(day)
      if (plannedDay === undefined) continue
      this.#largestSum += largestPayout * leads
      this.#addColumns(targets, { period, size: leads, columns, weights: this.#ones, day: plannedDay })
    }
  }

  #addSegment(
    targets: readonly Target[],
    { period, segment, day }: { period: number; segment: Segment; day: PlannedDay | undefined },
  ): void {
    for (const [column, buffer] of this.#listBuffers()) decodeCodes(segment[column], segment.leads, buffer)
    this.#largestSum += segment.largest_payout * segment.leads
    this.#addColumns(targets, {
      period,
      size: segment.leads,
      columns: this.#buffers,
      weights: this.#ones,
      day,
    })
  }

  #listBuffers(): (readonly [SegmentColumn, Int32Array])[] {
    return [...this.#buffers].filter(([column]) => this.#columns.includes(column))
  }

  #addSpanPart(targets: readonly Target[], { period, part }: { period: number; part: SpanPart }): void {
    const size = part.groups
    const columns = new Map<SegmentColumn, Int32Array | Float64Array>(this.#buffers)
    for (const [column, buffer] of this.#listBuffers())
      if (column !== 'payout' && isSpanColumn(column)) decodeCodes(part[column], size, buffer)
    if (this.#columns.includes('payout')) {
      decodeSums(part.payout, size, this.#sums)
      columns.set('payout', this.#sums)
    }
    decodeCodes(part.leads, size, this.#weights)
    if (part.part === 0) this.#largestSum += part.largest_sum
    this.#addColumns(targets, { period, size, columns, weights: this.#weights, day: undefined })
  }

  #addColumns(
    targets: readonly Target[],
    {
      period,
      size,
      columns,
      weights,
      day,
    }: {
      period: number
      size: number
      columns: Columns
      weights: Int32Array
      day: PlannedDay | undefined
    },
  ): void {
    const status = this.#columns.includes('status') ? findColumn(columns, 'status') : null
    const payout = (this.#columns.includes('payout') && columns.get('payout')) || null
    const effects = this.#effects
    if (effects === undefined) return
    const cells = this.#cells
    for (const { grid, axes } of targets) {
      cells.fill(0, 0, size)
      for (const { axis, at, placeBySlot, placeByCode } of axes) {
        const column = columnOf(axis.name)
        if (column === null || placeByCode === null)
          addPlace(
            cells,
            size,
            placeBySlot[axis.slotOfDay((at === 0 ? day?.row_key : day?.column_key) ?? null)] ?? noPlace,
          )
        else addPlaces(cells, size, { codes: findColumn(columns, column), placeByCode })
      }
      for (const { column, placeByCode } of this.#source.masks)
        addPlaces(cells, size, { codes: findColumn(columns, column), placeByCode })
      grid.addLeads(period, { size, cells, weights, status, payout, effects })
    }
  }
}

type Columns = ReadonlyMap<SegmentColumn, Int32Array | Float64Array>

function findColumn(columns: Columns, name: SegmentColumn): Int32Array {
  const column = columns.get(name)
  if (!(column instanceof Int32Array)) throw new Error(`the column ${name} was not read`)
  return column
}

function addPlace(cells: Int32Array, size: number, place: number): void {
  for (let i = 0; i < size; i += 1) (cells[i] as number) += place
}

function addPlaces(
  cells: Int32Array,
  size: number,
  { codes, placeByCode }: { codes: Int32Array; placeByCode: Int32Array },
): void {
  for (let i = 0; i < size; i += 1) (cells[i] as number) += placeByCode[codes[i] as number] as number
}
