import { writeXlsx } from 'hucre'
import type { Api } from './api.ts'

/** A file for an import with known results. */
export interface OrderFile {
  name: string
  rows: number
  content: string
  file(): File
}

const buildFile = (name: string, rows: number, lines: string[]): OrderFile => {
  const content = lines.join('\n')
  return { name, rows, content, file: () => new File([content], name, { type: 'text/csv' }) }
}

/** Builds a file of leads, numbered from `first`. */
export function buildLeadFile(name: string, first: number, rows: number): OrderFile {
  const lines = ['external_id,created_at,status,payout,offer,stream']
  for (let i = first; i < first + rows; i++) {
    lines.push(
      `L-${i},2026-11-${formatDay(i)}T10:00:00+05:00,sold,${1000 + (i % 7)},Offer ${i % 5},Stream ${i % 11}`,
    )
  }
  return buildFile(name, rows, lines)
}

/** Builds a file of parcels with two events each, numbered from `prefix`-`first`. */
export function buildParcelFile(name: string, first: number, rows: number, prefix = 'P'): OrderFile {
  const lines = ['orderno,date,person,town,weight,delivery_price,status,event_time']
  for (let i = first; i < first + rows; i++) {
    const cells = `${prefix}-${i},2026-11-${formatDay(i)},Person ${i},Ташкент,1.5,${20_000 + i}`
    lines.push(`${cells},NEW,2026-11-${formatDay(i)}T09:00:00+05:00`)
    lines.push(`${cells},DELIVERY,2026-11-${formatDay(i)}T12:00:00+05:00`)
  }
  return buildFile(name, rows, lines)
}

const formatDay = (i: number) => String(1 + (i % 28)).padStart(2, '0')

/** Builds an order file. The first row is the header row. */
export async function buildOrderSheet(rows: string[][]): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Заказы', rows }] }))
}

const getTimeDaysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString()

/** Imports parcels with their newest event. */
export async function importParcels(
  api: Api,
  ...rows: [orderno: string, code: string, days: number, owner: string][]
) {
  const lines = rows.map(
    ([orderno, code, days, owner]) => `${orderno},${code},${getTimeDaysAgo(days)},${owner}`,
  )
  const form = new FormData()
  form.set('file', new File([['orderno,status,event_time,owner', ...lines].join('\n')], 'parcels.csv'))
  const { skipped } = await api.call<{ skipped: number }>('POST', '/api/admin/parcels/import/', form)
  if (skipped !== 0) throw new Error(`${skipped} parcels were skipped`)
}
