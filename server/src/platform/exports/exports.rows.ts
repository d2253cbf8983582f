import type pg from 'pg'

type Row = Record<string, unknown>

/** A hand-written SQL statement and its parameters. */
export interface Statement {
  text: string
  values: unknown[]
}

/**
 * The answer of a list as a file: all matching rows, which are not read yet. `statement` selects them in order, each
 * as the JSON text of the API in the column `item`. `transformRow` changes a row where SQL cannot, for example to mask
 * values. `omittedKeys` are not exported.
 */
export class ExportRows {
  readonly pool: pg.Pool
  readonly statement: Statement
  readonly transformRow: ((row: Row) => Row) | undefined
  readonly omittedKeys: ReadonlySet<string>

  constructor(
    pool: pg.Pool,
    statement: Statement,
    options: {
      transformRow?: ((row: Row) => Row) | undefined
      omittedKeys?: ReadonlySet<string> | undefined
    } = {},
  ) {
    this.pool = pool
    this.statement = statement
    this.transformRow = options.transformRow
    this.omittedKeys = options.omittedKeys ?? new Set()
  }
}

/** The first rows of a statement that has no `limit`. */
export const limitRows = ({ text, values }: Statement, maxRows: number): Statement => ({
  text: `${text} limit ${maxRows}`,
  values,
})

export const allRowsRange = { offset: 0, size: Number.MAX_SAFE_INTEGER } as const

/**
 * Turns the statement of a page, built for {@link allRowsRange}, into a statement with one row for each item. Only for
 * small lists: PostgreSQL holds all items as one text.
 */
export const splitItems = ({ text, values }: Statement): Statement => ({
  text: `select i.value::text as item from (${text}) list, json_array_elements(list.items::json) i`,
  values,
})
