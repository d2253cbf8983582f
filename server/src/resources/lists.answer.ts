import { createHash } from 'node:crypto'
import { pageMeta } from '@karvon/contract/lib/page.ts'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Db } from '../platform/database/pool.ts'
import { AllRows, type Statement } from '../platform/exports/exports.rows.ts'
import { pageAsked, type Asked, type Span } from '../platform/http/paging.ts'
import { RawJson } from '../platform/http/raw-json.ts'

/** The one row that a list's statement answers: its items as a JSON array's text, and how many there are. */
export interface ListRow {
  items: string
  count: number
  /** All rows that the caller may see. */
  total: number
  /** Those that match the filters. */
  filtered: number
  /** What the statement counts besides. */
  figures?: Figures
}

type Figures = Readonly<Record<string, number | null>>

// Each statement stays prepared on each connection, so there is an end to them; further ones run unnamed.
const maxNamed = 200
const named = new Set<string>()

function prepared(text: string): { name?: string; text: string } {
  const name = `l_${createHash('sha1').update(text).digest('hex').slice(0, 20)}`
  if (!named.has(name) && named.size >= maxNamed) return { text }
  named.add(name)
  return { name, text }
}

/** Runs a hand-written statement, prepared; answers its one row. */
export async function oneRow<Row>(pool: pg.Pool, text: string, values: unknown[]): Promise<Row> {
  const { rows } = await pool.query<Record<string, unknown>>({ ...prepared(text), values })
  if (rows.length !== 1) throw new Error(`One row was expected of ${text}`)
  return rows[0] as Row
}

/** One row's JSON, by a statement that has it as `item` for an id. */
export async function itemOf(trx: Db, text: string, id: number): Promise<RawJson> {
  const { rows } = await trx.executeQuery<{ item: string }>(CompiledQuery.raw(text, [id]))
  if (rows[0] === undefined) throw new Error(`One row was expected of ${text}`)
  return new RawJson(rows[0].item)
}

/**
 * Answers a hand-written list for a checked query: a page as JSON, or with `format` all its rows as a file.
 * `build` makes the statement: for a page one row as {@link ListRow} has it, for `'all'` a row an item as
 * {@link AllRows} wants it. `more` makes of its figures what meta has besides.
 */
export async function answerList(
  pool: pg.Pool,
  query: Record<string, unknown>,
  build: (span: Span) => Statement,
  more: (figures: Figures) => Record<string, unknown> = () => ({}),
): Promise<RawJson | AllRows> {
  if (query.format !== undefined) return new AllRows(pool, build('all'))
  const asked = pageAsked(query)
  const { text, values } = build(asked)
  const row = await oneRow<ListRow>(pool, text, values)
  return listAnswer(asked, row, more(row.figures ?? {}))
}

/** A list's answer from its statement's row; `more` adds to meta. */
export function listAnswer(
  { offset, size }: Asked,
  row: ListRow,
  more: Record<string, unknown> = {},
): RawJson {
  const meta = pageMeta({ offset, size, items: row.count, total: row.total, filtered: row.filtered })
  return new RawJson(`{"items":${row.items},"meta":${JSON.stringify({ ...meta, ...more })}}`)
}

/** SQL of all rows of a table, counted by triggers and not by reading them. */
export const allRows = (table: string): string =>
  `(select coalesce(sum(rows), 0)::bigint from row_counts where table_name = '${table}')`
