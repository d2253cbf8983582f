import type pg from 'pg'

type Row = Record<string, unknown>

/** A hand-written statement and its parameters. */
export interface Statement {
  text: string
  values: unknown[]
}

/**
 * The answer of a list that was asked for a file: all rows that match, still in the database. `statement`
 * answers them in order, each as its wire's JSON text under the name `item`; `present` looks at each where
 * JavaScript must (masks); `leave` names what the file leaves out.
 */
export class AllRows {
  readonly pool: pg.Pool
  readonly statement: Statement
  readonly present: ((row: Row) => Row) | undefined
  readonly leave: ReadonlySet<string>

  constructor(
    pool: pg.Pool,
    statement: Statement,
    more: { present?: ((row: Row) => Row) | undefined; leave?: ReadonlySet<string> } = {},
  ) {
    this.pool = pool
    this.statement = statement
    this.present = more.present
    this.leave = more.leave ?? new Set()
  }
}

/** What a list's statement is built for when all its rows are wanted. */
export const everyRow = { offset: 0, size: Number.MAX_SAFE_INTEGER } as const

/**
 * Makes of a page's statement, built for {@link everyRow}, one that answers a row an item. For lists whose
 * rows are all counted before the first is known, and few enough for PostgreSQL to hold as one text.
 */
export const itemsOf = ({ text, values }: Statement): Statement => ({
  text: `select i.value::text as item from (${text}) list, json_array_elements(list.items::json) i`,
  values,
})
