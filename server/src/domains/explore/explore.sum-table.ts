import { dimensions, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreAnswer, ExploreItem, ExploreMargin, Member } from '@karvon/contract/explore/explore.ts'
import type { MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import { calculateFigures, type Sums } from './explore.metrics.ts'
import type { SumRow } from './explore.queries.ts'

/** The sums of the asked and of the compared period. */
interface Pair {
  readonly now: Sums
  readonly before: Sums
}

interface AnswerShape {
  readonly dimensions: readonly DimensionName[]
  readonly figures: readonly SumFigure[]
  readonly metrics: readonly MetricName[]
  readonly rank: SumFigure
  readonly isCompared: boolean
}

/** The names of keys by dimension. */
export type Names = Readonly<Partial<Record<DimensionName, ReadonlyMap<string, string>>>>

type Built = Pick<ExploreAnswer, 'items' | 'totals'> &
  Pick<ExploreAnswer['meta'], 'row_totals' | 'column_totals' | 'row_count' | 'column_count'>

/** A member of an axis with its sums. The rest has no key. */
interface Entry {
  readonly key: string | null
  readonly member: Member
  readonly pair: Pair
}

const rest: Member = { kind: 'rest', key: null, name: null }

/** Sums of a question in a form that can be added and subtracted. */
export class SumTable {
  readonly #shape: AnswerShape
  readonly #margins: readonly [Map<string, Pair>, Map<string, Pair>] = [new Map(), new Map()]
  readonly #cells = new Map<string, Map<string, Pair>>()
  readonly #counts: [number, number] = [0, 0]
  readonly #none: Pair = { now: {}, before: {} }
  #total: Pair = { now: {}, before: {} }

  constructor(shape: AnswerShape, rows: readonly SumRow[]) {
    this.#shape = shape
    for (const row of rows) {
      const sums = this.#readSums(row)
      const put = (pair = this.#none): Pair =>
        row.period === 0 ? { now: sums, before: pair.before } : { now: pair.now, before: sums }
      if (row.kind === 'total') this.#total = put(this.#total)
      else if (row.kind === 'cell') {
        const cells = this.#cells.get(row.row_key ?? '') ?? new Map<string, Pair>()
        this.#cells.set(row.row_key ?? '', cells)
        cells.set(row.column_key ?? '', put(cells.get(row.column_key ?? '')))
      } else {
        const at = row.kind === 'row' ? 0 : 1
        const key = (at === 0 ? row.row_key : row.column_key) ?? ''
        this.#margins[at].set(key, put(this.#margins[at].get(key)))
        this.#counts[at] = row.key_count
      }
    }
  }

  #readSums(row: SumRow): Sums {
    const sums: Partial<Record<SumFigure, bigint>> = {}
    for (const figure of this.#shape.figures) sums[figure] = BigInt(row[figure])
    return sums
  }

  /** The keys in the order to show: a time by its order, all others from the largest to the smallest. */
  listKeys(at: 0 | 1): string[] {
    const name = this.#shape.dimensions[at]
    const margin = [...this.#margins[at]]
    if (name === undefined) return []
    const { kind } = dimensions[name]
    if (kind === 'period') return margin.map(([key]) => key).toSorted((a, b) => (a < b ? -1 : 1))
    if (kind === 'cycle') return margin.map(([key]) => key).toSorted((a, b) => Number(a) - Number(b))
    const { rank } = this.#shape
    const order = (a: bigint, b: bigint) => (a === b ? 0 : a > b ? -1 : 1)
    return margin
      .toSorted(
        ([key, a], [otherKey, b]) =>
          order(a.now[rank] ?? 0n, b.now[rank] ?? 0n) ||
          order(a.before[rank] ?? 0n, b.before[rank] ?? 0n) ||
          (key < otherKey ? -1 : 1),
      )
      .map(([key]) => key)
  }

  build(names: Names): Built {
    const [rowKeys, columnKeys] = [this.listKeys(0), this.listKeys(1)]
    const rows = this.#listMargin(0, rowKeys, names)
    const columns = this.#listMargin(1, columnKeys, names)
    const items =
      this.#shape.dimensions.length === 1
        ? rows.map(({ member, pair }): ExploreItem => ({ row: member, column: null, ...this.#write(pair) }))
        : this.#listCells(rows, columns)
    const write = (margin: readonly Entry[]): ExploreMargin[] =>
      margin.map(({ member, pair }) => ({ member, ...this.#write(pair) }))
    return {
      items,
      totals: this.#write(this.#total),
      row_totals: write(rows),
      column_totals: write(columns),
      row_count: this.#counts[0],
      column_count: this.#counts[1],
    }
  }

  /** The members of an axis with their sums, and the rest if keys are left out. */
  #listMargin(at: 0 | 1, keys: readonly string[], names: Names): Entry[] {
    const margin = this.#margins[at]
    const listedMembers = keys.map((key) => ({
      key,
      member: this.#describe(at, key, names),
      pair: margin.get(key) ?? this.#none,
    }))
    if (this.#counts[at] <= keys.length) return listedMembers
    const pair = this.#subtract(
      this.#total,
      listedMembers.map((listedMember) => listedMember.pair),
    )
    return [...listedMembers, { key: null, member: rest, pair }]
  }

  #listCells(rows: readonly Entry[], columns: readonly Entry[]): ExploreItem[] {
    const topColumns = columns.filter(({ key }) => key !== null)
    const hasRestColumn = topColumns.length < columns.length
    const columnPairs = new Map<string, Pair[]>()
    for (const { key } of topColumns) if (key !== null) columnPairs.set(key, [])
    return rows.flatMap(({ key: rowKey, member: row, pair: rowTotal }) => {
      const cells = columns.flatMap(({ key, member: column, pair: columnTotal }) => {
        if (key === null) return []
        const pair =
          rowKey === null
            ? this.#subtract(columnTotal, columnPairs.get(key) ?? [])
            : (this.#cells.get(rowKey)?.get(key) ?? this.#none)
        columnPairs.get(key)?.push(pair)
        return [{ column, pair }]
      })
      if (hasRestColumn)
        cells.push({
          column: rest,
          pair: this.#subtract(
            rowTotal,
            cells.map(({ pair }) => pair),
          ),
        })
      return cells
        .filter(({ pair }) => this.#hasLeads(pair))
        .map(({ column, pair }): ExploreItem => ({ row, column, ...this.#write(pair) }))
    })
  }

  #describe(at: 0 | 1, key: string, names: Names): Member {
    const name = this.#shape.dimensions[at]
    const kind = name === undefined ? 'text' : dimensions[name].kind
    if (kind === 'text' ? key === '' : kind === 'id' && key === '0')
      return { kind: 'none', key: null, name: null }
    return { kind: 'value', key, name: (name && names[name]?.get(key)) ?? null }
  }

  #subtract(from: Pair, pairs: readonly Pair[]): Pair {
    const { figures, isCompared } = this.#shape
    const minus = (period: 'now' | 'before'): Sums => {
      const remainingSums: Partial<Record<SumFigure, bigint>> = {}
      for (const figure of figures)
        remainingSums[figure] = pairs.reduce(
          (rest, pair) => rest - (pair[period][figure] ?? 0n),
          from[period][figure] ?? 0n,
        )
      return remainingSums
    }
    return { now: minus('now'), before: isCompared ? minus('before') : this.#none.before }
  }

  #hasLeads({ now, before }: Pair): boolean {
    return (now.leads ?? 0n) !== 0n || (before.leads ?? 0n) !== 0n
  }

  #write({ now, before }: Pair) {
    return calculateFigures(this.#shape.metrics, now, this.#shape.isCompared ? before : null)
  }
}
