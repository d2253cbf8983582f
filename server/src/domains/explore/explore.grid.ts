import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'

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
    return this.#sums[this.#offset(period, this.#figures.indexOf(figure)) + cell] ?? 0
  }

  add(period: number, cell: number, sums: readonly number[]): void {
    for (const [at, value] of sums.entries()) {
      const offset = this.#offset(period, at) + cell
      this.#sums[offset] = (this.#sums[offset] ?? 0) + value
    }
  }

  /**
   * Adds leads. `cells` has the cell of each lead, or -1. `counts` and `moneys` have, by the code of a status, the position of
   * the figure that counts the lead or adds up its payout, or -1.
   */
  addLeads(period: number, leads: LeadColumns): void {
    const { size, cells, status, payout, counts, moneys } = leads
    const sums = this.#sums
    const first = this.#offset(period, 0)
    const width = this.#cells
    for (let i = 0; i < size; i += 1) {
      const cell = cells[i] as number
      if (cell < 0) continue
      ;(sums[first + cell] as number) += 1
      if (status === null) continue
      const state = status[i] as number
      const count = counts[state] as number
      if (count > 0) (sums[first + count * width + cell] as number) += 1
      if (payout === null) continue
      const money = moneys[state] as number
      if (money > 0) (sums[first + money * width + cell] as number) += payout[i] as number
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
    for (let block = 0; block < periods * this.#figures.length; block += 1)
      for (let row = 0; row < rows; row += 1)
        for (let column = 0; column < columns; column += 1) {
          const from = (block * rows + row) * columns + column
          const to = block * margin.rows + (axis === 0 ? row : column)
          ;(margin.#sums[to] as number) += this.#sums[from] as number
        }
    return margin
  }

  #offset(period: number, figure: number): number {
    return (period * this.#figures.length + figure) * this.#cells
  }
}

/** Columns of some leads. */
export interface LeadColumns {
  readonly size: number
  readonly cells: Int32Array
  readonly status: Int32Array | null
  readonly payout: Int32Array | null
  readonly counts: Int32Array
  readonly moneys: Int32Array
}
