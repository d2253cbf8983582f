import { maxSheetColumns } from '@karvon/contract/lib/limits.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import { createReadStream } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../http/errors.ts'
import type { SheetRow } from './spreadsheets.batch.ts'

/** Characters of one record. The limit ends a quote that is never closed. */
const maxRecord = 1_000_000
/** `columns`: the columns of a spreadsheet. `blankLines`: consecutive blank lines. */
const csvBounds = { columns: 16_384, blankLines: 100_000 }
const batchRows = 500
/** Bytes that are parsed without a turn of the event loop. Each may be a record, which takes 20 µs. */
const maxPiece = 1024

/**
 * Reads the records of a csv file in batches, without blank ones. The index counts all records from 0. The file is
 * UTF-8 with or without BOM. The delimiter is that of a first line such as `sep=;`, which Excel reads in the same way.
 * Without such a line it is the most frequent one of comma, semicolon and tab in the first line that is not empty.
 * `onBytesRead` gets the number of bytes read since its last call. Errors: 422 for broken quotes or another encoding,
 * 415 when the content is not text.
 */
export async function* readCsvRows(
  path: string,
  onBytesRead: (bytes: number) => void = () => {},
): AsyncGenerator<SheetRow[]> {
  const text = readText(path, onBytesRead)
  const first = await text.next()
  if (first.done) return
  const { line: delimiterLine, delimiter = detectDelimiter(first.value) } = findDelimiterLine(first.value)
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maxRecord,
  })
  const input = feedParser(parser, first.value.slice(delimiterLine.length), limitColumns(text, delimiter))
  let index = delimiterLine === '' ? 0 : 1
  let blankLines = 0
  let rows: SheetRow[] = []
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const cells = record.slice(0, maxSheetColumns).map(trimText)
      blankLines = cells.some((cell) => cell !== '') ? 0 : blankLines + 1
      if (blankLines === 0) rows.push([index, cells])
      if (blankLines > csvBounds.blankLines) throw new AppError('csv_blank_lines')
      index++
      // The records of a piece are read without a turn of the event loop.
      if (index % batchRows === 0) await setImmediate()
      if (rows.length < batchRows) continue
      yield rows
      rows = []
    }
    await input
    yield rows
  } catch (error) {
    throw toAppError(error)
  } finally {
    parser.destroy()
    await input.catch(() => {})
  }
}

async function feedParser(
  parser: ReturnType<typeof parse>,
  first: string,
  rest: AsyncGenerator<string>,
): Promise<void> {
  try {
    await writeToParser(parser, first)
    for await (const chunk of rest) await writeToParser(parser, chunk)
    parser.end()
  } catch (error) {
    parser.destroy(error instanceof Error ? error : new Error(String(error)))
  } finally {
    await rest.return(undefined)
  }
}

async function writeToParser(parser: ReturnType<typeof parse>, chunk: string): Promise<void> {
  // The parser joins bytes. A string that ends in half an emoji would lose it.
  const bytes = Buffer.from(chunk)
  for (let at = 0; at < bytes.length; at += maxPiece)
    await writePieceToParser(parser, bytes.subarray(at, at + maxPiece))
}

async function writePieceToParser(parser: ReturnType<typeof parse>, piece: Buffer): Promise<void> {
  if (parser.destroyed || parser.write(piece)) return
  await new Promise<void>((resolve) => {
    const resume = () => {
      parser.off('drain', resume).off('close', resume)
      resolve()
    }
    parser.on('drain', resume).on('close', resume)
  })
}

/** Refuses a line with too many columns, because the parser would keep all of them in memory. */
async function* limitColumns(text: AsyncGenerator<string>, delimiter: string): AsyncGenerator<string> {
  let columns = 0
  for await (const chunk of text) {
    columns = /[\r\n]/.test(chunk) ? 0 : columns + chunk.split(delimiter).length
    if (columns > csvBounds.columns) throw new AppError('csv_too_many_columns')
    yield chunk
  }
}

async function* readText(path: string, onBytesRead: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of createReadStream(path, { highWaterMark: 16 * 1024 }) as AsyncIterable<Buffer>) {
    if (bytes.includes(0)) throw new AppError('file_not_text')
    yield decodeText(decoder, bytes)
    // Reported when the consumer has read the text.
    onBytesRead(bytes.length)
  }
  yield decodeText(decoder)
}

function decodeText(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new AppError('csv_not_utf8')
  }
}

/** The first line if it names the delimiter, with its end; '' for any other line. */
function findDelimiterLine(text: string): { line: string; delimiter?: string | undefined } {
  const [line = '', delimiter] = /^sep=([^\p{L}\p{N}"\r\n])(?:\r\n|\n|\r|$)/iu.exec(text) ?? []
  return { line, delimiter }
}

/** Counts only delimiters outside quotes, because a header may be "price, sum". */
function detectDelimiter(text: string): string {
  const line = (/[^\r\n]+/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const count = (sign: string) => line.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

function toAppError(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  return typeof error.lines === 'number'
    ? new AppError('csv_quoting_broken_near', { line: error.lines })
    : new AppError('csv_quoting_broken')
}
