import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { streamXlsxRows } from 'hucre'
import { expect } from 'vitest'
import { formatCell, type RawCell } from '../src/platform/spreadsheets/spreadsheets.text.ts'
import { callApi, type Session } from './app.ts'

/** The header row and rows of a file. Each cell is a text. */
export interface Sheet {
  name: string
  heading: string[]
  rows: string[][]
}

const withFormat = (url: string, format: string) => `${url}${url.includes('?') ? '&' : '?'}format=${format}`

/** Reads a list as csv with an independent library. Keeps the marks before risky cells. */
export async function readCsv(app: FastifyInstance, as: Session, url: string): Promise<Sheet> {
  const answer = await callApi(app, as, 'GET', withFormat(url, 'csv'))
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.body.startsWith('\uFEFF'), 'a byte order mark').toBe(true)
  expect(answer.body.endsWith('\r\n')).toBe(true)
  const [heading = [], ...rows] = parse(answer.body, { bom: true, record_delimiter: '\r\n' })
  return { name: getFilename(answer.headers['content-disposition']), heading, rows }
}

/** Reads a list as a workbook. Cells are as an import reads them: trimmed, booleans as TRUE and FALSE. */
export async function readXlsx(app: FastifyInstance, as: Session, url: string): Promise<Sheet> {
  const answer = await callApi(app, as, 'GET', withFormat(url, 'xlsx'))
  expect(answer.statusCode, answer.body).toBe(200)
  const [heading = [], ...rows] = await readSheet(answer.rawPayload)
  return { name: getFilename(answer.headers['content-disposition']), heading, rows }
}

/** Reads the rows of a sheet (from 0), all with the width of the first. */
export async function readSheet(workbook: Uint8Array, sheet = 0): Promise<string[][]> {
  const rows: RawCell[][] = []
  for await (const { values } of streamXlsxRows(workbook, { sheet })) rows.push(values)
  return rows.map((cells) => (rows[0] ?? []).map((_, index) => formatCell(cells[index])))
}

const getFilename = (disposition: unknown) =>
  /^attachment; filename="([^"]+)"$/.exec(String(disposition))?.[1] ?? ''

type Row = Record<string, unknown>

/** Reads every row of a list, page by page. */
export async function readAllPages(app: FastifyInstance, as: Session, url: string, size = 7): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const address = `${url}${url.includes('?') ? '&' : '?'}per_page=${size}&page=${page}`
    const answer = await callApi(app, as, 'GET', address)
    expect(answer.statusCode, answer.body).toBe(200)
    const { items, meta } = answer.json<{ items: Row[]; meta: { has_next: boolean } }>()
    rows.push(...items)
    if (!meta.has_next) return rows
  }
}

/** Builds the cells of a row by column, from its values and not from the schema. */
export function buildCells(row: Row, prefix = ''): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [key, value] of Object.entries(row)) {
    if (typeof value !== 'object' || value === null) cells.set(`${prefix}${key}`, formatValue(value))
    else if (Array.isArray(value)) cells.set(`${prefix}${key}`, value.map(formatValue).join('; '))
    else {
      cells.set(`${prefix}${key}`, JSON.stringify(value))
      const inner = value as Row
      if (Object.keys(inner).toSorted().join() === 'id,name') {
        cells.set(`${prefix}${key}`, formatValue(inner.name))
        cells.set(`${prefix}${key}_id`, formatValue(inner.id))
      } else for (const [name, cell] of buildCells(inner, `${prefix}${key}_`)) cells.set(name, cell)
    }
  }
  return cells
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value
  if (typeof value === 'object' && value !== null)
    return formatValue((value as Row).name ?? JSON.stringify(value))
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
