import { writeXlsx } from 'hucre'
import type { Api } from './api.ts'

/** Files for imports, made here so that a journey knows what must come of them. */
export interface OrderFile {
  name: string
  rows: number
  content: string
  file(): File
}

const orderFile = (name: string, rows: number, lines: string[]): OrderFile => {
  const content = lines.join('\n')
  return { name, rows, content, file: () => new File([content], name, { type: 'text/csv' }) }
}

/** `rows` leads of one source, numbered from `first`. Payouts are whole sums. */
export function leadFile(name: string, first: number, rows: number): OrderFile {
  const lines = ['external_id,created_at,status,payout,offer,stream']
  for (let i = first; i < first + rows; i++) {
    lines.push(
      `L-${i},2026-11-${day(i)}T10:00:00+05:00,sold,${1000 + (i % 7)},Offer ${i % 5},Stream ${i % 11}`,
    )
  }
  return orderFile(name, rows, lines)
}

/** `rows` parcels of November 2026 with two events each, numbered `prefix`-`first` and on. */
export function parcelFile(name: string, first: number, rows: number, prefix = 'P'): OrderFile {
  const lines = ['orderno,date,person,town,weight,delivery_price,status,event_time']
  for (let i = first; i < first + rows; i++) {
    const of = `${prefix}-${i},2026-11-${day(i)},Person ${i},Ташкент,1.5,${20_000 + i}`
    lines.push(`${of},NEW,2026-11-${day(i)}T09:00:00+05:00`)
    lines.push(`${of},DELIVERY,2026-11-${day(i)}T12:00:00+05:00`)
  }
  return orderFile(name, rows, lines)
}

const day = (i: number) => String(1 + (i % 28)).padStart(2, '0')

/** An order file as people fill it in: the first row has the headings. */
export async function orderSheet(rows: string[][]): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Заказы', rows }] }))
}

const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString()

/** Parcels with their newest event: order number, the courier's code, when, owner. */
export async function tell(
  api: Api,
  ...rows: [orderno: string, code: string, days: number, owner: string][]
) {
  const lines = rows.map(([orderno, code, days, owner]) => `${orderno},${code},${ago(days)},${owner}`)
  const form = new FormData()
  form.set('file', new File([['orderno,status,event_time,owner', ...lines].join('\n')], 'parcels.csv'))
  const { skipped } = await api.call<{ skipped: number }>('POST', '/api/admin/parcels/import/', form)
  if (skipped !== 0) throw new Error(`${skipped} parcels were not taken`)
}
