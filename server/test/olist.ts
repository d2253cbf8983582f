// Reads and counts the real orders of a marketplace without any code of the product, and builds import files from them.
// Reads all orders if their folder is beside the project, or else the sample in the repository.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const fullFolder = fileURLToPath(new URL('../../../shared/data/olist/', import.meta.url))
const sampleFolder = fileURLToPath(new URL('samples/olist/', import.meta.url))

export interface RealOrder {
  id: string
  status: string
  purchased: string
  approved: string
  shipped: string
  delivered: string
  town: string
  /** The sums of all items: freight in cents, weight in grams. */
  freight: number
  grams: number
  /** The values of the first item; empty without an item. */
  category: string
  seller: string
}

/** Reads all orders with their items, in the order of the file. */
export function readOrders(): RealOrder[] {
  const folder = existsSync(`${fullFolder}orders.csv`) ? fullFolder : sampleFolder
  const towns = new Map(
    rows(folder, 'customers.csv').map((row) => [row.customer_id, row.customer_city ?? '']),
  )
  const products = new Map(rows(folder, 'products.csv').map((row) => [row.product_id, row]))
  const items = Map.groupBy(rows(folder, 'order_items.csv'), (row) => row.order_id ?? '')
  return rows(folder, 'orders.csv').map((row) => {
    const id = row.order_id ?? ''
    const ownItems = (items.get(id) ?? []).toSorted(
      (a, b) => Number(a.order_item_id) - Number(b.order_item_id),
    )
    const [first] = ownItems
    return {
      id,
      status: row.order_status ?? '',
      purchased: row.order_purchase_timestamp ?? '',
      approved: row.order_approved_at ?? '',
      shipped: row.order_delivered_carrier_date ?? '',
      delivered: row.order_delivered_customer_date ?? '',
      town: towns.get(row.customer_id) ?? '',
      freight: ownItems.reduce((sum, item) => sum + cents(item.freight_value ?? ''), 0),
      grams: ownItems.reduce((sum, item) => sum + Number(products.get(item.product_id)?.product_weight_g), 0),
      category: products.get(first?.product_id)?.product_category_name ?? '',
      seller: first?.seller_id ?? '',
    }
  })
}

/** Reads the rows of a file. The files have no quotes. */
function rows(folder: string, name: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(`${folder}${name}`, 'utf8').trimEnd().split('\n')
  const keys = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [keys[at] ?? '', cell])))
}

function cents(text: string): number {
  const [whole = '0', fraction = ''] = text.split('.')
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

/** Formats cents as an exact decimal. */
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

/** Counts the figures of a report over the orders, in whole cents. */
export function countOrders(orders: readonly RealOrder[]) {
  const listByStatus = (name: keyof typeof columns) =>
    orders.filter((order) => orderStatusNames[order.status] === name)
  const figures: Record<string, number> = {
    leads: orders.length,
    recall: 0,
    returned: 0,
    hold: 0,
    hold_amount: 0,
  }
  for (const name of Object.keys(columns) as (keyof typeof columns)[])
    figures[columns[name]] = listByStatus(name).length
  const cents = listByStatus('Sold').reduce((sum, order) => sum + order.freight, 0)
  return { ...figures, profit: cents / 100 }
}

/** One state of an order, reported as a lead: the status of the marketplace, its time, and the payout. */
export interface OrderReport {
  source_status: string
  at: string
  payout: string
}

/** The states of an order as a network reports them, oldest first. Only the last state has a payout. */
export function listReports(order: RealOrder): OrderReport[] {
  const reports = [
    { source_status: 'created', at: order.purchased },
    { source_status: 'approved', at: order.approved },
    { source_status: 'shipped', at: order.shipped },
    { source_status: order.status, at: order.delivered },
  ].filter(({ at }) => at !== '')
  const last =
    reports
      .map(({ at }) => at)
      .toSorted()
      .at(-1) ?? order.purchased
  const before = reports.filter(({ at }) => at < last).map((report) => ({ ...report, payout: '0' }))
  return [...before, { source_status: order.status, at: last, payout: formatAmount(order.freight) }]
}

/** Builds a file for `POST /api/admin/leads/import/`: payout is the freight, offer the category, stream the seller. */
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

/** The events of an order by its times. A cancelled order was cancelled at its last known time. */
export function listEvents(order: RealOrder): RealEvent[] {
  const times: [RealEvent['status'], string][] = [
    ['NEW', order.purchased],
    ['CONFIRM', order.approved],
    ['DEPARTURE', order.shipped],
    ['COMPLETE', order.delivered],
  ]
  const events = times.flatMap(([status, time]) => (time === '' ? [] : [{ status, time }]))
  if (order.status !== 'canceled' && order.status !== 'unavailable') return events
  const last =
    events
      .map(({ time }) => time)
      .toSorted()
      .at(-1) ?? order.purchased
  return [...events, { status: 'CANCELED', time: last }]
}

/** Builds a file for `POST /api/admin/parcels/import/` with one event a line. `ownerOf` returns the owner of a parcel. */
export function buildParcelsCsv(orders: readonly RealOrder[], ownerOf: (order: RealOrder) => string): string {
  const lines = orders.flatMap((order) => {
    const weight = (order.grams / 1000).toFixed(3)
    const cells = [
      order.id,
      order.purchased.slice(0, 10),
      order.town,
      weight,
      formatAmount(order.freight),
      ownerOf(order),
    ]
    return listEvents(order).map(({ status, time }) => [...cells, status, time].join(','))
  })
  return ['orderno,date,town,weight,delivery_price,owner,status,event_time', ...lines].join('\n')
}
