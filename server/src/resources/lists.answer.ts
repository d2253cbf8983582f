import { buildPageMeta } from '@karvon/contract/lib/page.ts'
import type pg from 'pg'
import type { Db } from '../platform/database/pool.ts'
import { queryRows } from '../platform/database/rows.ts'
import { ExportRows, type Statement } from '../platform/exports/exports.rows.ts'
import { readPageRange, type PageQuery, type PageRange } from '../platform/http/paging.ts'
import { RawJson } from '../platform/http/raw-json.ts'
import {
  buildExportStatement,
  buildPageStatement,
  getPageStatement,
  type ListCounts,
  type ListDeclaration,
} from './lists.queries.ts'

/** The single row of a list's statement. `items` is the text of a JSON array. */
export interface ListRow {
  items: string
  count: number
  /** Rows that the caller may see. */
  total: number
  /** Rows that match the filters. */
  filtered: number
  extra_meta?: Readonly<Record<string, unknown>>
}

// Each named statement stays prepared on each connection, so their number has a limit. Further ones run unnamed.
const maxPrepared = 500
const namesByText = new Map<string, string>()

function prepareStatement({ text, values }: Statement): Statement & { name?: string } {
  const name = namesByText.get(text) ?? `list_${namesByText.size + 1}`
  if (!namesByText.has(text)) {
    if (namesByText.size >= maxPrepared) return { text, values }
    namesByText.set(text, name)
  }
  return { name, text, values }
}

/** Runs a hand-written statement and returns its single row. A prepared one can reuse its plan. */
export async function queryOneRow<Row>(pool: pg.Pool, statement: Statement, isPrepared = true): Promise<Row> {
  const { rows } = await pool.query<Row & object>(isPrepared ? prepareStatement(statement) : statement)
  const [row] = rows
  if (row === undefined || rows.length !== 1) throw new Error(`One row was expected of ${statement.text}`)
  return row
}

/** Reads the JSON of one row, by a statement with the parameter id and the column `item`. */
export async function readItem(trx: Db, text: string, id: number): Promise<RawJson> {
  const rows = await queryRows<{ item: string }>(trx, text, [id])
  if (rows[0] === undefined) throw new Error(`One row was expected of ${text}`)
  return new RawJson(rows[0].item)
}

/** Answers a list for a validated query: a page as JSON, or with `format` all rows for a file. */
export async function answerList(
  pool: pg.Pool,
  query: PageQuery & { format?: unknown },
  list: ListDeclaration,
): Promise<RawJson | ExportRows> {
  const { transformRow, omittedKeys } = list
  if (query.format !== undefined)
    return new ExportRows(pool, buildExportStatement(list), { transformRow, omittedKeys })
  const range = readPageRange(query, list.defaultPageSize)
  const row =
    list.counts === undefined
      ? await readPage(pool, list, range)
      : await countAndReadPage(pool, { ...list, counts: list.counts }, range)
  const items = transformRow
    ? JSON.stringify((JSON.parse(row.items) as Record<string, unknown>[]).map(transformRow))
    : row.items
  return buildListAnswer(range, { ...row, items }, row.extra_meta)
}

/** Builds the answer of a list from the row of its statement. */
export function buildListAnswer(
  { offset, size }: PageRange,
  row: ListRow,
  extraMeta?: Readonly<Record<string, unknown>>,
): RawJson {
  const meta = buildPageMeta({ offset, size, items: row.count, total: row.total, filtered: row.filtered })
  return new RawJson(
    `{"items":${row.items},"meta":${JSON.stringify(extraMeta === undefined ? meta : { ...meta, ...extraMeta })}}`,
  )
}

/** The last row count of each list of a database. It decides from which end of the list a page is read. */
const lengthsByPool = new WeakMap<pg.Pool, Map<string, number>>()
const maxLengths = 5000

function getLengths(pool: pg.Pool): Map<string, number> {
  const lengths = lengthsByPool.get(pool) ?? new Map<string, number>()
  lengthsByPool.set(pool, lengths)
  return lengths
}

/** Reads a page and its counts in one statement. */
async function readPage(pool: pg.Pool, list: ListDeclaration, range: PageRange): Promise<ListRow> {
  const isPrepared = list.planning !== 'values'
  if (list.reversedOrder === undefined || list.rangeDirection !== undefined)
    return queryOneRow<ListRow>(pool, getPageStatement(list, range), isPrepared)
  const lengths = getLengths(pool)
  const key = JSON.stringify([list.table, list.where.toString(), list.where.values])
  const read = async (part: PageRange, fromEnd: boolean) => {
    const statement = fromEnd ? buildPageStatement(list, part, true) : getPageStatement(list, part)
    const row = await queryOneRow<ListRow>(pool, statement, isPrepared)
    const oldestKey =
      lengths.size >= maxLengths && !lengths.has(key) ? lengths.keys().next().value : undefined
    if (oldestKey !== undefined) lengths.delete(oldestKey)
    lengths.set(key, row.filtered)
    return row
  }
  const length = lengths.get(key) ?? 0
  if (range.offset > length / 2 && length > 0) {
    const row = await read(countFromEnd(range, length), true)
    // When the row count has changed, the page has moved: it is read again.
    if (row.filtered === length) return row
  }
  return read(range, false)
}

/** Counts first: then it reads the page from the nearer end, and reads nothing if nothing matches. */
async function countAndReadPage(
  pool: pg.Pool,
  list: ListDeclaration & { counts: Statement | ListCounts },
  range: PageRange,
): Promise<ListRow> {
  const isPrepared = list.planning !== 'values'
  const { counts } = list
  const { total, filtered, part }: ListCounts =
    'text' in counts ? await queryOneRow<ListCounts>(pool, counts, isPrepared) : counts
  const size = Math.max(0, Math.min(range.size, filtered - range.offset))
  if (size === 0) return { total, filtered, items: '[]', count: 0 }
  const { skipped, rows } = part ?? { skipped: 0, rows: filtered }
  const pageRange = { size, offset: range.offset - skipped }
  const fromEnd = pageRange.offset > rows / 2 && list.reversedOrder !== undefined
  const page = buildPageStatement(list, fromEnd ? countFromEnd(pageRange, rows) : pageRange, fromEnd)
  const answer = await queryOneRow<Pick<ListRow, 'items' | 'count'>>(pool, page, isPrepared)
  return { total, filtered, ...answer }
}

const countFromEnd = ({ size, offset }: PageRange, length: number): PageRange => ({
  size: Math.max(0, Math.min(size, length - offset)),
  offset: Math.max(0, length - offset - size),
})
