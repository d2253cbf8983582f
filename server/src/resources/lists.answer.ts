import { createHash } from 'node:crypto'
import { buildPageMeta } from '@karvon/contract/lib/page.ts'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Db } from '../platform/database/pool.ts'
import { ExportRows, type Statement } from '../platform/exports/exports.rows.ts'
import { readPageRange, type PageRange, type RowRange } from '../platform/http/paging.ts'
import { RawJson } from '../platform/http/raw-json.ts'

/** The single row of a list's statement. `items` is the text of a JSON array. */
export interface ListRow {
  items: string
  count: number
  /** Rows that the caller may see. */
  total: number
  /** Rows that match the filters. */
  filtered: number
  /** Further sums of the statement. */
  figures?: Figures
}

type Figures = Readonly<Record<string, number | null>>

// Each named statement stays prepared on each connection, so their number has a limit. Further ones run unnamed.
const maxPrepared = 200
const preparedNames = new Set<string>()

function prepareStatement(text: string): { name?: string; text: string } {
  const name = `l_${createHash('sha1').update(text).digest('hex').slice(0, 20)}`
  if (!preparedNames.has(name) && preparedNames.size >= maxPrepared) return { text }
  preparedNames.add(name)
  return { name, text }
}

/** Runs a hand-written statement as a prepared one, and returns its single row. */
export async function queryOneRow<Row>(pool: pg.Pool, text: string, values: unknown[]): Promise<Row> {
  const { rows } = await pool.query<Record<string, unknown>>({ ...prepareStatement(text), values })
  if (rows.length !== 1) throw new Error(`One row was expected of ${text}`)
  return rows[0] as Row
}

/** Reads the JSON of one row, by a statement with the parameter id and the column `item`. */
export async function readItem(trx: Db, text: string, id: number): Promise<RawJson> {
  const { rows } = await trx.executeQuery<{ item: string }>(CompiledQuery.raw(text, [id]))
  if (rows[0] === undefined) throw new Error(`One row was expected of ${text}`)
  return new RawJson(rows[0].item)
}

/**
 * Answers a hand-written list for a validated query: a page as JSON, or with `format` all rows for a file. `build`
 * returns the statement: for a page one {@link ListRow}, for `'all'` one row for each item (see {@link ExportRows}).
 * `extraMeta` converts the figures of the row to further values of `meta`.
 */
export async function answerList(
  pool: pg.Pool,
  query: Record<string, unknown>,
  build: (span: RowRange) => Statement,
  extraMeta: (figures: Figures) => Record<string, unknown> = () => ({}),
): Promise<RawJson | ExportRows> {
  if (query.format !== undefined) return new ExportRows(pool, build('all'))
  const range = readPageRange(query)
  const { text, values } = build(range)
  const row = await queryOneRow<ListRow>(pool, text, values)
  return buildListAnswer(range, row, extraMeta(row.figures ?? {}))
}

/** Builds the answer of a list from the row of its statement. */
export function buildListAnswer(
  { offset, size }: PageRange,
  row: ListRow,
  extraMeta: Record<string, unknown> = {},
): RawJson {
  const meta = buildPageMeta({ offset, size, items: row.count, total: row.total, filtered: row.filtered })
  return new RawJson(`{"items":${row.items},"meta":${JSON.stringify({ ...meta, ...extraMeta })}}`)
}

/** SQL of the row count of a table, which triggers keep up to date. */
export const totalRowsSql = (table: string): string =>
  `(select coalesce(sum(rows), 0)::bigint from row_counts where table_name = '${table}')`
