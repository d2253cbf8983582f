import { cutText } from '@karvon/contract/lib/cut-text.ts'
import { formatFault, valueFault } from '@karvon/contract/lib/field-messages.ts'
import { maxUrl } from '@karvon/contract/lib/limits.ts'
import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import {
  parseDecimal,
  mayBeThousands,
  parseCurrency,
  parseTime,
  createUtf8Parser,
  isEmptyDate,
  type CellResult,
} from '../../platform/spreadsheets/spreadsheets.values.ts'
import { resolveZoneName } from '../../config.time-zone.ts'
import { formatNumber } from '../../platform/spreadsheets/spreadsheets.text.ts'
import { isBlank, removeControlCharacters } from '../../platform/http/wellformed.ts'
import { getByPath } from '../../integrations/cpa-network/cpa-network.templates.ts'
import type { SyncRunContext } from '../syncs/syncs.kind.ts'

/** The parsed rows of a network's list, and one problem text for each row that could not be parsed. */
export interface ParsedRows<Row> {
  rows: Row[]
  problems: string[]
}

/** An order of a network. Times are texts that PostgreSQL reads; amounts are decimal texts. */
export interface NetworkOrder {
  external_id: string
  status: string
  created_at: string
  updated_at: string | null
  /** Null if the network gives none. */
  payout: string | null
  currency: string | null
  offer: string | null
  offer_extra_id: string | null
  stream: string | null
  stream_extra_id: string | null
  comment: string | null
  region: string | null
  cancel_reason: string | null
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

export const parseOrders = (description: ConnectorDescription, list: ListOf<'orders'>, items: unknown[]) =>
  parseRows<NetworkOrder>(items, list.fields, (cell) => ({
    external_id: cell.required('external_id', createUtf8Parser(255)),
    status: cell.required('status', createUtf8Parser(100)),
    created_at: cell.required('created_at', createTimeParser(description)),
    updated_at: cell.optional('updated_at', createTimeParser(description)),
    payout: cell.optional('payout', createAmountParser(description)),
    currency: cell.optional('currency', parseCurrency),
    offer: cell.optional('offer', createCutParser(255)),
    offer_extra_id: cell.optional('offer_extra_id', createUtf8Parser(255)),
    stream: cell.optional('stream', createCutParser(255)),
    stream_extra_id: cell.optional('stream_extra_id', createUtf8Parser(255)),
    comment: cell.optional('comment', createCutParser(2000)),
    region: cell.optional('region', createCutParser(255)),
    cancel_reason: cell.optional('cancel_reason', createCutParser(255)),
  }))

export const parseOffers = (
  description: ConnectorDescription,
  list: ListOf<'offers'> | ListOf<'offer'>,
  items: unknown[],
) =>
  parseRows<NetworkOffer>(items, list.fields, (cell) => ({
    extra_id: cell.required('extra_id', createUtf8Parser(255)),
    name: cell.required('name', createCutParser(255)),
    price: cell.optional('price', createAmountParser(description)),
    affiliate_fee: cell.optional('affiliate_fee', createAmountParser(description)),
    store_name: cell.optional('store_name', createCutParser(255)),
    image: cell.optional('image', createImageUrlParser(description)),
  }))

export const parseStreams = (list: ListOf<'streams'>, items: unknown[]) =>
  parseRows<NetworkStream>(items, list.fields, (cell) => ({
    extra_id: cell.required('extra_id', createUtf8Parser(255)),
    name: cell.required('name', createCutParser(255)),
    url: cell.optional('url', parseHttpUrl),
    offer_name: cell.optional('offer_name', createCutParser(255)),
    offer_extra_id: cell.optional('offer_extra_id', createUtf8Parser(255)),
  }))

/** Parses the amount at a path of an answer, as a decimal text; null if it is missing or not an amount. */
export function parseAmountAt(description: ConnectorDescription, answer: unknown, path: string | undefined) {
  const text = path === undefined ? null : toCellText(getByPath(answer, path))
  return text === null ? null : (parseSignedAmount(description, text).value ?? null)
}

type CellParser<T> = (text: string) => CellResult<T>

/** The cells of one row. Missing and wrong cells become problems under the network's field names. */
class RowCells {
  readonly problems: string[] = []
  readonly #item: unknown
  readonly #fields: Readonly<Record<string, string | undefined>>

  constructor(item: unknown, fields: Readonly<Record<string, string | undefined>>) {
    this.#item = item
    this.#fields = fields
  }

  optional<T>(key: string, read: CellParser<T | null>): T | null {
    const path = this.#fields[key]
    if (path === undefined) return null
    const text = toCellText(getByPath(this.#item, path))
    if (text === null) return null
    const { value, fault } = read(text)
    if (fault === undefined) return value
    this.problems.push(formatFault(path, fault))
    return null
  }

  required<T>(key: string, read: CellParser<T | null>): T {
    const before = this.problems.length
    const value = this.optional(key, read)
    if (value === null && this.problems.length === before)
      this.problems.push(`${this.#fields[key] ?? key} is missing`)
    // Callers drop a row with a problem, so the null is never used.
    return value as T
  }
}

/** Parses rows of a list. `fields` has the path of each cell. */
export function parseRows<Row>(
  items: unknown[],
  fields: Readonly<Record<string, string | undefined>>,
  read: (cells: RowCells) => Row,
): ParsedRows<Row> {
  const parsedRows: ParsedRows<Row> = { rows: [], problems: [] }
  for (const item of items) {
    const cells = new RowCells(item, fields)
    const row = read(cells)
    if (cells.problems.length === 0) parsedRows.rows.push(row)
    else parsedRows.problems.push(cells.problems.join(', '))
  }
  return parsedRows
}

/**
 * The text of a number or of a text that is not empty; null for anything else. A network that calculates with double numbers sends
 * 0.30000000000000004, which is 0.3.
 */
function toCellText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value))
    return Number.isInteger(value) ? String(value) : formatNumber(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return isBlank(text) || isEmptyDate(text) ? null : text
}

/** Cuts a text that is too long. A network cannot shorten it, and its order must not be lost. */
export const createCutParser =
  (max: number): CellParser<string> =>
  (text) => ({ value: cutText(removeControlCharacters(text), max) })

const parseHttpUrl: CellParser<string> = (text) =>
  text.length <= maxUrl && /^https?:\/\/[^\s/]\S*$/i.test(text)
    ? { value: text }
    : { fault: valueFault('not_an_http_address') }

/** An image URL that cannot be used becomes null, so that the offer itself stays valid. */
const createImageUrlParser =
  ({ base_url, images_url }: ConnectorDescription): CellParser<string | null> =>
  (text) => {
    // The base is a folder: a relative path is appended to it.
    const base = (images_url ?? base_url ?? '').replace(/\/*$/, '/')
    const url = URL.parse(text) ?? URL.parse(text.replace(/^\/+/, ''), base)
    return { value: url === null ? null : (parseHttpUrl(url.href).value ?? null) }
  }

/** Parses a time of a network. Null for the number 0, which networks send for no time. */
export function createTimeParser({ time }: ConnectorDescription): CellParser<string | null> {
  const unit = time?.unit ?? 'text'
  if (unit !== 'text') return (text) => parseEpoch(text, unit === 'seconds' ? 1000 : 1)
  const zone = time?.zone === undefined ? undefined : (resolveZoneName(time.zone) ?? time.zone)
  return (text) => {
    const result = parseTime(text)
    const hasZone = result.value === undefined || /(Z|[+-]\d{2}:?\d{0,2})$/.test(result.value)
    return hasZone || zone === undefined ? result : { value: `${result.value} ${zone}` }
  }
}

function parseEpoch(text: string, unit: number): CellResult<string | null> {
  if (Number(text) === 0) return { value: null }
  const at = new Date(Number(text) * unit)
  const holds = /^\d{1,16}(\.\d+)?$/.test(text) && at.getUTCFullYear() >= 1970 && at.getUTCFullYear() <= 2200
  return holds ? { value: at.toISOString() } : { fault: valueFault('time_unreadable') }
}

const createAmountParser =
  (description: ConnectorDescription): CellParser<string> =>
  (text) =>
    text.startsWith('-') ? parseDecimal(text, 2) : parseSignedAmount(description, text)

/** Decimals of an amount. A network that divides sends more of them than a double number has. */
const maxDecimals = 30

/**
 * Calculates exactly. Parts below a hundredth are rounded half up, as the network itself shows amounts. "25,000" is refused: it may be
 * 25 or 25 thousand.
 */
export function parseSignedAmount({ money: unit }: ConnectorDescription, text: string): CellResult<string> {
  if (mayBeThousands(text)) return { fault: valueFault('not_a_number') }
  const minus = text.startsWith('-')
  const { value, fault } = parseDecimal(minus ? text.slice(1) : text, maxDecimals)
  if (fault !== undefined) return { fault }
  const [wholePart = '0', fraction = ''] = value.split('.')
  const divisor = BigInt(unit?.divisor ?? 1) * 10n ** BigInt(maxDecimals)
  const hundredthParts = BigInt(wholePart + fraction.padEnd(maxDecimals, '0')) * 100n
  const hundredths = (hundredthParts * 2n + divisor) / (divisor * 2n)
  const digits = String(hundredths).padStart(3, '0')
  return { value: `${minus && hundredths > 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` }
}

/** Adds the rows of a page to a count of the run, and logs the problems of unreadable rows. */
export async function countParsedRows<Row>(
  run: SyncRunContext,
  parsedRows: ParsedRows<Row>,
  countName = 'rows',
): Promise<ParsedRows<Row>> {
  const [firstProblem] = parsedRows.problems
  await run.addCounts({
    [countName]: parsedRows.rows.length + parsedRows.problems.length,
    ...(firstProblem !== undefined && { unreadable: parsedRows.problems.length }),
  })
  if (firstProblem !== undefined)
    run.log.warn({ problems: parsedRows.problems.slice(0, 20) }, 'A network sent rows that cannot be parsed')
  return parsedRows
}
