import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import { streamXlsxRows } from 'hucre'
import { expect } from 'vitest'
import { formatCell, type RawCell } from '../src/platform/spreadsheets/spreadsheets.text.ts'
import { ask, type Signed } from './app.ts'

/** A file's heading and rows, each cell as text. */
export interface Sheet {
  name: string
  heading: string[]
  rows: string[][]
}

const withFormat = (url: string, format: string) => `${url}${url.includes('?') ? '&' : '?'}format=${format}`

/** A list as csv, read by a library of others; the marks before risky cells still on. */
export async function csvOf(app: FastifyInstance, as: Signed, url: string): Promise<Sheet> {
  const answer = await ask(app, as, 'GET', withFormat(url, 'csv'))
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.body.startsWith('\uFEFF'), 'a byte order mark').toBe(true)
  expect(answer.body.endsWith('\r\n')).toBe(true)
  const [heading = [], ...rows] = parse(answer.body, { bom: true, record_delimiter: '\r\n' })
  return { name: nameIn(answer.headers['content-disposition']), heading, rows }
}

/** A list as a workbook, cells as an import reads them: trimmed, yes and no as TRUE and FALSE. */
export async function xlsxOf(app: FastifyInstance, as: Signed, url: string): Promise<Sheet> {
  const answer = await ask(app, as, 'GET', withFormat(url, 'xlsx'))
  expect(answer.statusCode, answer.body).toBe(200)
  const [heading = [], ...rows] = await sheetOf(answer.rawPayload)
  return { name: nameIn(answer.headers['content-disposition']), heading, rows }
}

/** The rows of a workbook's sheet (from 0), all as wide as the first. */
export async function sheetOf(workbook: Uint8Array, sheet = 0): Promise<string[][]> {
  const rows: RawCell[][] = []
  for await (const { values } of streamXlsxRows(workbook, { sheet })) rows.push(values)
  return rows.map((cells) => (rows[0] ?? []).map((_, at) => formatCell(cells[at])))
}

const nameIn = (disposition: unknown) =>
  /^attachment; filename="([^"]+)"$/.exec(String(disposition))?.[1] ?? ''

type Row = Record<string, unknown>

/** Every row of a list, page by page. */
export async function allPages(app: FastifyInstance, as: Signed, url: string, size = 7): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const address = `${url}${url.includes('?') ? '&' : '?'}per_page=${size}&page=${page}`
    const answer = await ask(app, as, 'GET', address)
    expect(answer.statusCode, answer.body).toBe(200)
    const { items, meta } = answer.json<{ items: Row[]; meta: { has_next: boolean } }>()
    rows.push(...items)
    if (!meta.has_next) return rows
  }
}

/** The cells that a row of the wire stands for, by column. Told from the values, where the product looks at schemas. */
export function cellsOf(row: Row, prefix = ''): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [key, value] of Object.entries(row)) {
    if (typeof value !== 'object' || value === null) cells.set(`${prefix}${key}`, shown(value))
    else if (Array.isArray(value)) cells.set(`${prefix}${key}`, value.map(shown).join('; '))
    else {
      cells.set(`${prefix}${key}`, JSON.stringify(value))
      const inner = value as Row
      if (Object.keys(inner).toSorted().join() === 'id,name') {
        cells.set(`${prefix}${key}`, shown(inner.name))
        cells.set(`${prefix}${key}_id`, shown(inner.id))
      } else for (const [name, cell] of cellsOf(inner, `${prefix}${key}_`)) cells.set(name, cell)
    }
  }
  return cells
}

function shown(value: unknown): string {
  if (typeof value === 'string') return /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value
  if (typeof value === 'object' && value !== null) return shown((value as Row).name ?? JSON.stringify(value))
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
