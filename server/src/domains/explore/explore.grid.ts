import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { StatusEffects } from './explore.effects.ts'

/** Sums for each period and each pair of slots. Without a second axis it has one column. */
export class Grid {
  readonly rows: number
  readonly columns: number
  readonly #figures: readonly SumFigure[]
  readonly #cells: number
  /** Counts and hundredths of money: whole numbers, which a double holds exactly up to 2^53. */
  readonly #sums: Float64Array

  constructor(shape: { rows: number; columns: number; periods: number; figures: readonly SumFigure[] }) {
    this.rows = shape.rows
    this.columns = shape.columns
    this.#figures = shape.figures
    this.#cells = shape.rows * shape.columns
    this.#sums = new Float64Array(shape.periods * shape.figures.length * this.#cells)
  }

  get(period: number, figure: SumFigure, cell: number): number {
    return this.#sums[this.#offset(period, cell) + this.#figures.indexOf(figure)] ?? 0
  }

  /** Adds leads. `cells` has the cell of each entry; below 0 it does not count. */
  addLeads(period: number, { size, cells, weights, status, payout, effects }: LeadColumns): void {
    const { counts, countPlaces, shares, moneyPlaces } = effects
    const sums = this.#sums
    const first = this.#offset(period, 0)
    const width = this.#figures.length
    for (let i = 0; i < size; i += 1) {
      const cell = cells[i] as number
      if (cell < 0) continue
      const offset = first + cell * width
      const weight = weights[i] as number
      ;(sums[offset] as number) += weight
      if (status === null) continue
      const state = status[i] as number
      // There is no branch for each status, because a processor could not predict it.
      ;(sums[offset + (countPlaces[state] as number)] as number) += weight * (counts[state] as number)
      if (payout === null) continue
      ;(sums[offset + (moneyPlaces[state] as number)] as number) +=
        (payout[i] as number) * (shares[state] as number)
    }
  }

  /** The sums of each row, or of each column, as a grid of one column. */
  sumAlong(axis: 0 | 1, periods: number): Grid {
    const { rows, columns } = this
    const margin = new Grid({
      rows: axis === 0 ? rows : columns,
      columns: 1,
      periods,
      figures: this.#figures,
    })
    for (let period = 0; period < periods; period += 1)
      for (let row = 0; row < rows; row += 1)
        for (let column = 0; column < columns; column += 1) {
          const from = this.#offset(period, row * columns + column)
          const to = margin.#offset(period, axis === 0 ? row : column)
          for (let at = 0; at < this.#figures.length; at += 1)
            (margin.#sums[to + at] as number) += this.#sums[from + at] as number
        }
    return margin
  }

  /** All figures of a cell are side by side, so that a lead touches one place in memory. */
  #offset(period: number, cell: number): number {
    return (period * this.#cells + cell) * this.#figures.length
  }
}

/** Columns of some leads, or of groups of leads. */
export interface LeadColumns {
  readonly size: number
  readonly cells: Int32Array
  /** The number of leads of each entry. */
  readonly weights: Int32Array
  readonly status: Int32Array | null
  readonly payout: Int32Array | Float64Array | null
  readonly effects: StatusEffects
}
