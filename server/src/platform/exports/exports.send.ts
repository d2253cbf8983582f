import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Call } from '@karvon/contract/lib/call.ts'
import { mediaTypes, type FileFormat } from '@karvon/contract/lib/format.ts'
import type { FastifyReply } from 'fastify'
import { getConnectionEndSignal } from '../http/connection-end.ts'
import { AppError } from '../http/errors.ts'
import { getIdentity, refuseEndedSession } from '../http/guard.ts'
import { exportTimeout } from '../limits/limits.ts'
import { parseExactRow, type RowBatches } from './exports.cells.ts'
import { deriveColumns, type ExportColumn } from './exports.columns.ts'
import { createCsvStream } from './exports.csv.ts'
import { ExportCursor } from './exports.cursor.ts'
import { limitRows, type ExportRows } from './exports.rows.ts'
import { acquireExportSlot } from './exports.limit.ts'
import { createXlsxStream } from './exports.xlsx.ts'

/** The bounds of the exports of an app: rows of a file, and milliseconds. */
export interface ExportBounds {
  readonly maxRows: number
  readonly timeout: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined: an export has all rows. */
    exportBounds?: ExportBounds
  }
}

/**
 * Streams the rows of a list as a file. The main file of platform/exports. An error after the first byte, and the end of the
 * session, reset the connection, so that an incomplete file does not look complete. Errors before: 429 and 503 at the limit of exports,
 * and those of the database.
 */
export async function sendExport(
  reply: FastifyReply,
  call: Call,
  exportRows: ExportRows,
): Promise<FastifyReply> {
  const { request } = reply
  const { format } = request.query as { format: FileFormat }
  // A stream has no length in the header: 0 would be wrong, and the length of the file is not known.
  if (request.method === 'HEAD') return reply.type(mediaTypes[format]).send(Readable.from([]))
  const columns = deriveColumns(call.answer, exportRows.omittedKeys)
  const abort = new AbortController()
  const cursor = await openExportCursor(exportRows, abort, reply)
  // Read before anything is sent, so that an error of the database is answered instead of breaking the file.
  const firstBatch = await cursor.next()
  const stem = getFileStem(call.id)
  const fetchBatch = async () => {
    await refuseEndedSession(request)
    return cursor.next()
  }
  const rows = readCells(firstBatch, { columns, transformRow: exportRows.transformRow, fetchBatch })
  return sendSheet(
    reply,
    {
      fileStem: `${stem}-${cursor.today}`,
      sheet: stem,
      headers: columns.map(({ name }) => name),
      rows,
    },
    { format, signal: abort.signal },
  )
}

async function openExportCursor(
  exportRows: ExportRows,
  abort: AbortController,
  reply: FastifyReply,
): Promise<ExportCursor> {
  const release = acquireExportSlot(getIdentity(reply.request))
  const { exportBounds: bounds } = reply.server
  const timer = setTimeout(() => abort.abort(new AppError('export_ended')), bounds?.timeout ?? exportTimeout)
  const onDisconnect = () => abort.abort(null)
  const close = () => {
    clearTimeout(timer)
    getConnectionEndSignal(reply.request).removeEventListener('abort', onDisconnect)
    release()
  }
  // The connection of a pipelined request may close before its answer begins.
  const end = getConnectionEndSignal(reply.request)
  end.addEventListener('abort', onDisconnect, { once: true })
  reply.raw.once('close', onDisconnect)
  if (reply.raw.destroyed || end.aborted) onDisconnect()
  try {
    return await ExportCursor.open(exportRows.pool, {
      statement:
        bounds === undefined ? exportRows.statement : limitRows(exportRows.statement, bounds.maxRows),
      abort,
      onClosed: close,
    })
  } catch (error) {
    close()
    throw error
  }
}

/** A sheet to download. `fileStem`: the name of the file without its extension. */
export interface DownloadSheet {
  fileStem: string
  sheet: string
  headers: readonly string[]
  rows: RowBatches
}

/** The answers whose file is not complete yet. */
const openAnswers = new Set<ServerResponse>()
// The end of a process ends its connections without an error.
process.on('exit', () => {
  for (const { socket } of openAnswers) socket?.resetAndDestroy()
})

function trackAnswer(answer: ServerResponse): void {
  if (answer.destroyed) return
  openAnswers.add(answer)
  const forget = () => openAnswers.delete(answer)
  // An answer without a socket, as that of a scheduled view, may have no `close`.
  answer.once('finish', forget).once('close', forget)
}

/** Sends a sheet as a download. `signal` aborts it. */
export function sendSheet(
  reply: FastifyReply,
  { fileStem, sheet, headers, rows }: DownloadSheet,
  { format, signal }: { format: FileFormat; signal?: AbortSignal },
): FastifyReply {
  const stream =
    format === 'csv' ? createCsvStream(headers, rows) : createXlsxStream(headers, { rows, sheetName: sheet })
  const abortStream = () => stream.destroy(signal?.reason instanceof Error ? signal.reason : undefined)
  signal?.addEventListener('abort', abortStream, { once: true })
  // In HTTP/1.0, which nginx uses by default, the file ends where the connection ends. Only a reset is no such end.
  stream.once('error', () => reply.raw.headersSent && reply.raw.socket?.resetAndDestroy())
  trackAnswer(reply.raw)
  return reply
    .headers({
      'content-type': mediaTypes[format],
      'content-disposition': `attachment; filename="${fileStem}.${format}"`,
    })
    .send(stream)
}

async function* readCells(
  first: string[],
  {
    transformRow,
    columns,
    fetchBatch,
  }: Pick<ExportRows, 'transformRow'> & {
    columns: readonly ExportColumn[]
    fetchBatch: () => Promise<string[]>
  },
) {
  const cells = (item: string) => {
    const row = parseExactRow(item)
    const transformedRow = transformRow?.(row) ?? row
    return columns.map(({ readCell }) => readCell(transformedRow))
  }
  for (let items = first; items.length > 0; items = await fetchBatch()) yield items.values().map(cells)
}

// Parts of call ids that are not in the name of the file.
const omittedIdParts = new Set(['list', 'all', 'own', 'search', 'admin', 'user'])

/** The file of `report.admin.daily` is report-daily, that of `leads.own` is leads. */
const getFileStem = (id: string): string =>
  id
    .split('.')
    .filter((part) => !omittedIdParts.has(part))
    .join('-')
