import { createHash } from 'node:crypto'
import { pageMeta } from '@karvon/contract/kit/page.ts'
import type pg from 'pg'
import type { Asked } from '../paging.ts'
import { RawJson } from '../raw-json.ts'

/** The one row that a list's statement answers: its items as a JSON array's text, and how many there are. */
export interface ListRow {
  items: string
  count: number
  /** All rows that the caller may see. */
  total: number
  /** Those that match the filters. */
  filtered: number
}

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
