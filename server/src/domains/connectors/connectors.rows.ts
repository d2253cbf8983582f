import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import {
  readDecimal,
  readMoment,
  textUpTo,
  type Reading,
} from '../../platform/spreadsheets/spreadsheets.values.ts'
import { placeOf } from '../../integrations/cpa-network/cpa-network.places.ts'
import type { SyncRun } from '../syncs/syncs.kind.ts'

/** Rows of a network's list as ours, and what was wrong with those that could not be read. */
export interface ReadRows<Row> {
  rows: Row[]
  problems: string[]
}

/** One order as a network tells of it. Times are texts that PostgreSQL reads, money a decimal text. */
export interface NetworkOrder {
  external_id: string
  status: string
  created_at: string
  updated_at: string | null
  /** Null where the network does not say. */
  payout: string | null
  currency: string | null
  offer: string | null
  offer_extra_id: string | null
  stream: string | null
  stream_extra_id: string | null
  comment: string | null
}

export interface NetworkOffer {
  extra_id: string
  name: string
  price: string | null
  affiliate_fee: string | null
  store_name: string | null
  image: string | null
}

export interface NetworkStream {
  extra_id: string
  name: string
  url: string | null
  offer_name: string | null
  offer_extra_id: string | null
}

type ListOf<K extends 'orders' | 'offers' | 'offer' | 'streams'> = NonNullable<ConnectorDescription[K]>

export const readOrders = (description: ConnectorDescription, list: ListOf<'orders'>, items: unknown[]) =>
  readRows<NetworkOrder>(items, list.fields, (cell) => ({
    external_id: cell.required('external_id', plain(255)),
    status: cell.required('status', plain(100)),
    created_at: cell.required('created_at', moment(description)),
    updated_at: cell.optional('updated_at', moment(description)),
    payout: cell.optional('payout', money(description)),
    currency: cell.optional('currency', currency),
    offer: cell.optional('offer', plain(255)),
    offer_extra_id: cell.optional('offer_extra_id', plain(255)),
    stream: cell.optional('stream', plain(255)),
    stream_extra_id: cell.optional('stream_extra_id', plain(255)),
    comment: cell.optional('comment', plain(2000)),
  }))

export const readOffers = (
  description: ConnectorDescription,
  list: ListOf<'offers'> | ListOf<'offer'>,
  items: unknown[],
) =>
  readRows<NetworkOffer>(items, list.fields, (cell) => ({
    extra_id: cell.required('extra_id', plain(255)),
    name: cell.required('name', plain(255)),
    price: cell.optional('price', money(description)),
    affiliate_fee: cell.optional('affiliate_fee', money(description)),
    store_name: cell.optional('store_name', plain(255)),
    image: cell.optional('image', picture(description)),
  }))

export const readStreams = (list: ListOf<'streams'>, items: unknown[]) =>
  readRows<NetworkStream>(items, list.fields, (cell) => ({
    extra_id: cell.required('extra_id', plain(255)),
    name: cell.required('name', plain(255)),
    url: cell.optional('url', httpUrl),
    offer_name: cell.optional('offer_name', plain(255)),
    offer_extra_id: cell.optional('offer_extra_id', plain(255)),
  }))

/** An amount somewhere in an answer, as a decimal text; null where it is not there or is no amount. */
export function amountAt(description: ConnectorDescription, answer: unknown, path: string | undefined) {
  const text = path === undefined ? null : textOf(placeOf(answer, path))
  return text === null ? null : (signedMoney(description, text).value ?? null)
}

type Read<T> = (text: string) => Reading<T>

/** The cells of one row: missing or wrong ones are noted under the network's own field names. */
class Cells {
  readonly problems: string[] = []
  readonly #item: unknown
  readonly #fields: Readonly<Record<string, string | undefined>>

  constructor(item: unknown, fields: Readonly<Record<string, string | undefined>>) {
    this.#item = item
    this.#fields = fields
  }

  optional<T>(key: string, read: Read<T>): T | null {
    const path = this.#fields[key]
    if (path === undefined) return null
    const text = textOf(placeOf(this.#item, path))
    if (text === null) return null
    const { value, problem } = read(text)
    if (problem === undefined) return value
    this.problems.push(`${path} ${problem}`)
    return null
  }

  required<T>(key: string, read: Read<T>): T {
    const before = this.problems.length
    const value = this.optional(key, read)
    if (value === null && this.problems.length === before)
      this.problems.push(`${this.#fields[key] ?? key} is missing`)
    // A row with a problem is never used.
    return value as T
  }
}

function readRows<Row>(
  items: unknown[],
  fields: Readonly<Record<string, string | undefined>>,
  read: (cells: Cells) => Row,
): ReadRows<Row> {
  const answer: ReadRows<Row> = { rows: [], problems: [] }
  for (const item of items) {
    const cells = new Cells(item, fields)
    const row = read(cells)
    if (cells.problems.length === 0) answer.rows.push(row)
    else answer.problems.push(cells.problems.join(', '))
  }
  return answer
}

/** Numbers and texts alike; nothing else is a cell. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

const plain = textUpTo

const currency: Read<string> = (text) =>
  /^[a-z]{3}$/i.test(text) ? { value: text.toUpperCase() } : { problem: 'is not a currency such as UZS' }

const httpUrl: Read<string> = (text) =>
  /^https?:\/\/[^\s/]+\S*$/i.test(text) && text.length <= 2000
    ? { value: text }
    : { problem: 'is not an http address' }

/** An offer is no worse for a picture that nobody can be shown. */
const picture =
  ({ base_url, images_url }: ConnectorDescription): Read<string | null> =>
  (text) => {
    // As a folder: what is told stands behind it.
    const base = (images_url ?? base_url ?? '').replace(/\/*$/, '/')
    const whole = URL.parse(text) ?? URL.parse(text.replace(/^\/+/, ''), base)
    return { value: whole === null ? null : (httpUrl(whole.href).value ?? null) }
  }

const moment =
  ({ time }: ConnectorDescription): Read<string> =>
  (text) => {
    const unit = time?.unit ?? 'text'
    if (unit !== 'text') return epoch(text, unit === 'seconds' ? 1000 : 1)
    const read = readMoment(text)
    const zoned = read.value === undefined || /(Z|[+-]\d{2}:?\d{0,2})$/.test(read.value)
    return zoned || time?.zone === undefined ? read : { value: `${read.value} ${time.zone}` }
  }

function epoch(text: string, unit: number): Reading<string> {
  const at = new Date(Number(text) * unit)
  const holds = /^\d{1,16}(\.\d+)?$/.test(text) && at.getUTCFullYear() >= 1970 && at.getUTCFullYear() <= 2200
  return holds ? { value: at.toISOString() } : { problem: 'is not a time' }
}

const money =
  (description: ConnectorDescription): Read<string> =>
  (text) =>
    text.startsWith('-') ? readDecimal(text, 2) : signedMoney(description, text)

/** Exact; what is finer than a hundredth is rounded half up, as the network shows it to people. */
function signedMoney({ money: unit }: ConnectorDescription, text: string): Reading<string> {
  const minus = text.startsWith('-')
  const { value, problem } = readDecimal(minus ? text.slice(1) : text, 10)
  if (problem !== undefined) return { problem }
  const [whole = '0', fraction = ''] = value.split('.')
  const divisor = BigInt(unit?.divisor ?? 1) * 10n ** 10n
  const parts = BigInt(whole + fraction.padEnd(10, '0')) * 100n
  const hundredths = (parts * 2n + divisor) / (divisor * 2n)
  const digits = String(hundredths).padStart(3, '0')
  return { value: `${minus && hundredths > 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` }
}

/** Counts the rows of a page and logs those that could not be read. */
export async function readable<Row>(run: SyncRun, read: ReadRows<Row>): Promise<ReadRows<Row>> {
  const [first] = read.problems
  await run.count({
    rows: read.rows.length + read.problems.length,
    ...(first !== undefined && { unreadable: read.problems.length }),
  })
  if (first !== undefined)
    run.log.warn({ problems: read.problems.slice(0, 20) }, 'Rows of a network that cannot be read')
  return read
}
