import type { Call } from '@karvon/contract/lib/call.ts'
import { mediaTypes, type FileFormat } from '@karvon/contract/lib/format.ts'
import type { FastifyReply } from 'fastify'
import { connectionEnd } from '../http/connection-end.ts'
import { identityOf } from '../http/guard.ts'
import { exportWithin } from '../limits/limits.ts'
import type { Pieces } from './exports.cells.ts'
import { columnsOf, type Column } from './exports.columns.ts'
import { csvStream } from './exports.csv.ts'
import { Cursor } from './exports.cursor.ts'
import type { AllRows } from './exports.rows.ts'
import { exportSlots } from './exports.slots.ts'
import { xlsxStream } from './exports.xlsx.ts'

type Row = Record<string, unknown>

/**
 * Answers a list's rows as a file, while they are being read. Whatever goes wrong once the answer has begun
 * breaks the connection, so that nobody takes a part for the whole.
 * Errors before that: 429 and 503 where too many are under way, and the database's own.
 */
export async function sendRows(reply: FastifyReply, call: Call, all: AllRows): Promise<FastifyReply> {
  const { request } = reply
  const { format } = request.query as { format: FileFormat }
  if (request.method === 'HEAD') return reply.type(mediaTypes[format]).send('')
  const columns = columnsOf(call.answer, all.leave)
  const ended = new AbortController()
  const cursor = await openRows(all, ended, reply)
  // Before anything is sent, so that what the database refuses is an answer and no broken file.
  const first = await cursor.next()
  const stem = stemOf(call.id)
  const rows = cellsOf(first, cursor, all, columns)
  return sendTable(
    reply,
    { stem: `${stem}-${cursor.today}`, sheet: stem, heading: columns.map(({ name }) => name), rows },
    format,
    ended.signal,
  )
}

async function openRows(all: AllRows, ended: AbortController, reply: FastifyReply): Promise<Cursor> {
  const free = exportSlots.take(identityOf(reply.request).userId)
  const timer = setTimeout(() => ended.abort(new Error('The export took too long')), exportWithin)
  const gone = () => ended.abort(null)
  const over = () => {
    clearTimeout(timer)
    connectionEnd(reply.request).removeEventListener('abort', gone)
    free()
  }
  // A later request of a pipeline has no answer that could be closed, but a connection.
  const end = connectionEnd(reply.request)
  end.addEventListener('abort', gone, { once: true })
  reply.raw.once('close', gone)
  if (reply.raw.destroyed || end.aborted) gone()
  try {
    return await Cursor.open(all.pool, all.statement, ended, over)
  } catch (error) {
    over()
    throw error
  }
}

/** A table to send: `stem` of the file's name, the sheet's name, headings, and rows in pieces. */
export interface Table {
  stem: string
  sheet: string
  heading: readonly string[]
  rows: Pieces
}

/** Sends a table as a download; `ended` breaks it off. */
export function sendTable(
  reply: FastifyReply,
  { stem, sheet, heading, rows }: Table,
  format: FileFormat,
  ended?: AbortSignal,
): FastifyReply {
  const stream = format === 'csv' ? csvStream(heading, rows) : xlsxStream(heading, rows, sheet)
  const breakOff = () => stream.destroy(ended?.reason instanceof Error ? ended.reason : undefined)
  ended?.addEventListener('abort', breakOff, { once: true })
  return reply
    .headers({
      'content-type': mediaTypes[format],
      'content-disposition': `attachment; filename="${stem}.${format}"`,
    })
    .send(stream)
}

async function* cellsOf(first: string[], cursor: Cursor, { present }: AllRows, columns: readonly Column[]) {
  const cells = (item: string) => {
    const row = JSON.parse(item) as Row
    const shown = present?.(row) ?? row
    return columns.map(({ read }) => read(shown))
  }
  for (let items = first; items.length > 0; items = await cursor.next()) yield items.values().map(cells)
}

// What tells two lists of the same things apart, and not two files.
const aside = new Set(['list', 'all', 'own', 'search', 'admin', 'user'])

/** `report.admin.daily` is saved as report-daily, `leads.own` as leads. */
const stemOf = (id: string): string =>
  id
    .split('.')
    .filter((part) => !aside.has(part))
    .join('-')
