// The real orders of a marketplace, read and counted without any of the product's code, as the files that the
// product imports. All of them where they lie beside the project, else the few hundred that it carries.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('../../../shared/data/olist/', import.meta.url))
const carried = fileURLToPath(new URL('samples/olist/', import.meta.url))

export interface RealOrder {
  id: string
  status: string
  purchased: string
  approved: string
  carried: string
  delivered: string
  town: string
  /** Of all its items: freight in cents, weight in grams. */
  freight: number
  grams: number
  /** Of its first item; empty where it has none. */
  category: string
  seller: string
}

/** Every order with what its items say, in the order of the file. */
export function readOrders(): RealOrder[] {
  const folder = existsSync(`${beside}orders.csv`) ? beside : carried
  const towns = new Map(
    rows(folder, 'customers.csv').map((row) => [row.customer_id, row.customer_city ?? '']),
  )
  const products = new Map(rows(folder, 'products.csv').map((row) => [row.product_id, row]))
  const items = Map.groupBy(rows(folder, 'order_items.csv'), (row) => row.order_id ?? '')
  return rows(folder, 'orders.csv').map((row) => {
    const id = row.order_id ?? ''
    const own = (items.get(id) ?? []).toSorted((a, b) => Number(a.order_item_id) - Number(b.order_item_id))
    const [first] = own
    return {
      id,
      status: row.order_status ?? '',
      purchased: row.order_purchase_timestamp ?? '',
      approved: row.order_approved_at ?? '',
      carried: row.order_delivered_carrier_date ?? '',
      delivered: row.order_delivered_customer_date ?? '',
      town: towns.get(row.customer_id) ?? '',
      freight: own.reduce((sum, item) => sum + cents(item.freight_value ?? ''), 0),
      grams: own.reduce((sum, item) => sum + Number(products.get(item.product_id)?.product_weight_g), 0),
      category: products.get(first?.product_id)?.product_category_name ?? '',
      seller: first?.seller_id ?? '',
    }
  })
}

/** The files hold no quotes, so that a line is its cells. */
function rows(folder: string, name: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(`${folder}${name}`, 'utf8').trimEnd().split('\n')
  const keys = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [keys[at] ?? '', cell])))
}

function cents(text: string): number {
  const [whole = '0', fraction = ''] = text.split('.')
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

/** Cents as a decimal, without passing through a fraction. */
export const formatAmount = (amount: number): string =>
  `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`

/** The mappings of the tests: our status, by name, for each status of the marketplace. */
export const orderStatusNames: Readonly<Record<string, string>> = {
  delivered: 'Sold',
  shipped: 'Sent',
  canceled: 'Rejected',
  unavailable: 'Rejected',
  invoiced: 'Accepted',
  processing: 'Accepted',
  approved: 'Accepted',
  created: 'Accepted',
}
const columns = { Sold: 'sold', Sent: 'send', Rejected: 'cancel', Accepted: 'accepted' } as const

/** The figures that some orders must give in a report, counted in whole cents. */
export function countOrders(orders: readonly RealOrder[]) {
  const of = (name: keyof typeof columns) => orders.filter((order) => orderStatusNames[order.status] === name)
  const figures: Record<string, number> = {
    leads: orders.length,
    recall: 0,
    returned: 0,
    hold: 0,
    hold_amount: 0,
  }
  for (const name of Object.keys(columns) as (keyof typeof columns)[])
    figures[columns[name]] = of(name).length
  const cents = of('Sold').reduce((sum, order) => sum + order.freight, 0)
  return { ...figures, profit: cents / 100 }
}

/** One state of an order, reported as a lead: the status of the marketplace, its time, and the payout. */
export interface OrderReport {
  source_status: string
  at: string
  payout: string
}

/** An order's way as a network tells of it, oldest first and the state that it is in last; nothing is paid before. */
export function listReports(order: RealOrder): OrderReport[] {
  const told = [
    { source_status: 'created', at: order.purchased },
    { source_status: 'approved', at: order.approved },
    { source_status: 'shipped', at: order.carried },
    { source_status: order.status, at: order.delivered },
  ].filter(({ at }) => at !== '')
  const last =
    told
      .map(({ at }) => at)
      .toSorted()
      .at(-1) ?? order.purchased
  const before = told.filter(({ at }) => at < last).map((each) => ({ ...each, payout: '0' }))
  return [...before, { source_status: order.status, at: last, payout: formatAmount(order.freight) }]
}

/** The file of `POST /api/admin/leads/import/`: payout is the freight, offer the category, stream the seller. */
export function buildLeadsCsv(orders: readonly RealOrder[]): string {
  const lines = orders.map((order) =>
    [order.id, order.purchased, order.status, formatAmount(order.freight), order.category, order.seller].join(
      ',',
    ),
  )
  return ['external_id,created_at,status,payout,offer,stream', ...lines].join('\n')
}

export interface RealEvent {
  status: 'NEW' | 'CONFIRM' | 'DEPARTURE' | 'COMPLETE' | 'CANCELED'
  time: string
}

/** An order's way by its times; one that was called off was so at the last time that is known of it. */
export function listEvents(order: RealOrder): RealEvent[] {
  const told: [RealEvent['status'], string][] = [
    ['NEW', order.purchased],
    ['CONFIRM', order.approved],
    ['DEPARTURE', order.carried],
    ['COMPLETE', order.delivered],
  ]
  const events = told.flatMap(([status, time]) => (time === '' ? [] : [{ status, time }]))
  if (order.status !== 'canceled' && order.status !== 'unavailable') return events
  const last =
    events
      .map(({ time }) => time)
      .toSorted()
      .at(-1) ?? order.purchased
  return [...events, { status: 'CANCELED', time: last }]
}

/** The file of `POST /api/admin/parcels/import/`, a line an event; `ownerOf` names whose parcel it is. */
export function buildParcelsCsv(orders: readonly RealOrder[], ownerOf: (order: RealOrder) => string): string {
  const lines = orders.flatMap((order) => {
    const weight = (order.grams / 1000).toFixed(3)
    const told = [
      order.id,
      order.purchased.slice(0, 10),
      order.town,
      weight,
      formatAmount(order.freight),
      ownerOf(order),
    ]
    return listEvents(order).map(({ status, time }) => [...told, status, time].join(','))
  })
  return ['orderno,date,town,weight,delivery_price,owner,status,event_time', ...lines].join('\n')
}
