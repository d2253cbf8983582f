import { maxSheetColumns } from '@karvon/contract/lib/limits.ts'
import { createReadStream } from 'node:fs'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../http/errors.ts'
import type { SheetRow } from './spreadsheets.piece.ts'

/** Characters of one record at the most; a quote that is never closed ends here. */
const maxRecord = 1_000_000
/** Columns of a line, as many as a spreadsheet has; and blank lines, one after another. */
const most = { columns: 16_384, blank: 100_000 }
const pieceRows = 500

/**
 * The records of a csv file that hold anything, in pieces; the index counts records from 0, blank ones too.
 * UTF-8 with or without BOM; comma, semicolon or tab, whichever the first line has most of; quoted fields;
 * LF or CRLF. `told` hears how many bytes more have been read.
 * Errors: 422 `invalid` for broken quoting or another encoding, 415 `unsupported_type` for what is no text.
 */
export async function* csvRows(
  path: string,
  told: (bytes: number) => void = () => {},
): AsyncGenerator<SheetRow[]> {
  const text = textOf(path, told)
  const first = await text.next()
  if (first.done) return
  const delimiter = delimiterOf(first.value)
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: maxRecord,
  })
  const fed = feed(parser, first.value, narrow(text, delimiter))
  let index = 0
  let blank = 0
  let rows: SheetRow[] = []
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const cells = record.slice(0, maxSheetColumns).map((cell) => cell.trim())
      blank = cells.some((cell) => cell !== '') ? 0 : blank + 1
      if (blank === 0) rows.push([index, cells])
      if (blank > most.blank)
        throw new AppError('invalid', 'Most lines of the file are blank: delete them and send it again.')
      index++
      if (rows.length < pieceRows) continue
      yield rows
      rows = []
    }
    await fed
    yield rows
  } catch (error) {
    throw clear(error)
  } finally {
    parser.destroy()
    await fed.catch(() => {})
  }
}

async function feed(
  parser: ReturnType<typeof parse>,
  first: string,
  rest: AsyncGenerator<string>,
): Promise<void> {
  try {
    await write(parser, first)
    for await (const piece of rest) await write(parser, piece)
    parser.end()
  } catch (error) {
    parser.destroy(error instanceof Error ? error : new Error(String(error)))
  } finally {
    await rest.return(undefined)
  }
}

async function write(parser: ReturnType<typeof parse>, piece: string): Promise<void> {
  if (parser.destroyed || parser.write(piece)) return
  await new Promise<void>((resolve) => {
    const goOn = () => {
      parser.off('drain', goOn).off('close', goOn)
      resolve()
    }
    parser.on('drain', goOn).on('close', goOn)
  })
}

/** Stops at a line of nothing but columns: the parser would hold every one of them. */
async function* narrow(text: AsyncGenerator<string>, delimiter: string): AsyncGenerator<string> {
  let columns = 0
  for await (const piece of text) {
    columns = /[\r\n]/.test(piece) ? 0 : columns + piece.split(delimiter).length
    if (columns > most.columns) throw new AppError('invalid', 'A line of the file has too many columns.')
    yield piece
  }
}

async function* textOf(path: string, told: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of createReadStream(path, { highWaterMark: 16 * 1024 }) as AsyncIterable<Buffer>) {
    if (bytes.includes(0)) throw new AppError('unsupported_type', 'The file is not plain text.')
    yield decode(decoder, bytes)
    // Only now: whoever takes the text has come for more.
    told(bytes.length)
  }
  yield decode(decoder)
}

function decode(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new AppError('invalid', 'The file is not in UTF-8: save it as "CSV UTF-8" and send it again.')
  }
}

/** Counts outside quotes, so that a heading such as "price, sum" does not mislead. */
function delimiterOf(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const count = (sign: string) => line.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

function clear(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  const line = typeof error.lines === 'number' ? ` near line ${error.lines}` : ''
  return new AppError(
    'invalid',
    `The quoting of the file is broken${line}: a quote inside a field is written twice.`,
  )
}
