import { cutText } from '@karvon/contract/lib/cut-text.ts'
import { maxCode, maxLine, maxParcelItems } from '@karvon/contract/lib/limits.ts'
import type { ParcelItem } from '@karvon/contract/parcels/parcels.ts'
import type { CourierItem, CourierOrder } from '../../integrations/measoft/measoft.ts'
import { findCourierState } from '../parcels/parcels.codes.ts'
import { readParcelDetails, type DetailField } from '../parcels/parcels.details.ts'
import { formatItems } from '../parcels/parcels.items.ts'
import type { ParcelEventInput } from '../parcels/parcels.types.ts'
import { mapInTurns } from '../../platform/outgoing-http/answers.ts'
import { isBlank, removeControlCharacters } from '../../platform/http/wellformed.ts'
import {
  parseDecimal,
  parseTime,
  createTextParser,
  createUtf8Parser,
  dropExtraZeros,
  isFarAhead,
  type CellResult,
} from '../../platform/spreadsheets/spreadsheets.values.ts'

export interface ParsedOrders {
  events: ParcelEventInput[]
  /** Current statuses whose time is days ahead or cannot be parsed. Their `eventtime` is the time of receipt. */
  undatedEvents: ParcelEventInput[]
  /** The reasons why orders and events cannot be parsed. */
  problems: string[]
}

interface ParseOptions {
  ownerId: number
  /** The names of services by their codes. */
  services: ReadonlyMap<string, string>
  receivedAt: Date
}

/**
 * Parses the events of the courier's orders. An order without a number, and a past event whose time is days ahead or cannot be
 * parsed, are left out and reported as problems. A detail of a parcel that cannot be parsed
 * becomes null.
 */
export async function parseCourierOrders(
  orders: readonly CourierOrder[],
  options: ParseOptions,
): Promise<ParsedOrders> {
  const parsedOrders = await mapInTurns(orders, (order) => parseOrder(order, options))
  return {
    events: parsedOrders.flatMap(({ events }) => events),
    undatedEvents: parsedOrders.flatMap(({ undatedEvents }) => undatedEvents),
    problems: parsedOrders.flatMap(({ problems }) => problems),
  }
}

/** The courier's program may write more decimals, which are zeros. In files of people 100.000 may mean thousands. */
const decimalsByField: Partial<Record<DetailField, number>> = {
  weight: 3,
  delivery_price: 2,
  cod_amount: 2,
  declared_value: 2,
}

function parseOrder(order: CourierOrder, { ownerId, services, receivedAt }: ParseOptions): ParsedOrders {
  const orderno = parseOrNull(order.orderno, createUtf8Parser(100))
  if (orderno === null || orderno === '')
    return { events: [], undatedEvents: [], problems: ['An order without a number'] }
  const texts = {
    ...order,
    service: order.service === null ? null : (services.get(order.service) ?? order.service),
    // The courier has no list of the names of types. A code would replace the name that an order file gave.
    type: order.type === null || /^\d+$/.test(order.type.trim()) ? null : order.type,
  }
  const details = {
    ...readParcelDetails((field, parse) => {
      if (field === 'items') return null
      const decimals = decimalsByField[field]
      return parseOrNull(texts[field], (text) =>
        parse(decimals === undefined ? text : dropExtraZeros(text, decimals)),
      )
    }),
    items: formatItems(parseItems(order.items)),
  }
  const events: ParcelEventInput[] = []
  const undatedEvents: ParcelEventInput[] = []
  const problems = order.events.length === 0 ? [`${orderno} has no status`] : []
  if (order.omitted > 0) problems.push(`${orderno}: ${order.omitted} statuses are too many, and are left out`)
  for (const [at, { code, title, time }] of order.events.entries()) {
    const eventtime = parseOrNull(time, parseTime)
    const isDated = eventtime !== null && !isFarAhead(eventtime, receivedAt)
    if (!isDated && at > 0)
      problems.push(
        `${orderno}: the time of ${code} ${eventtime === null ? 'cannot be read' : 'is in the future'}`,
      )
    else
      (isDated ? events : undatedEvents).push({
        ...details,
        orderno,
        owner_id: ownerId,
        state: findCourierState(
          removeControlCharacters(cutText(code, maxCode)),
          removeControlCharacters(cutText(title, maxLine)),
        ),
        eventtime: isDated ? eventtime : receivedAt.toISOString(),
      })
  }
  return { events, undatedEvents, problems }
}

/**
 * Parses the first {@link maxParcelItems} items. A value that cannot be parsed becomes null, and an item without any value
 * is left out.
 */
function parseItems(items: readonly CourierItem[]): ParcelItem[] {
  const readText = (text: string | null, max: number) => parseOrNull(text, createTextParser(max))
  const readNumber = (text: string | null, decimals: number) => {
    const value = parseOrNull(text, (decimalText) =>
      parseDecimal(dropExtraZeros(decimalText, decimals), decimals, 9),
    )
    return value === null ? null : Number(value)
  }
  const parsedItems = items.slice(0, maxParcelItems).map((item) => ({
    name: readText(item.name, maxLine),
    code: readText(item.code, maxCode),
    article: readText(item.article, maxCode),
    barcode: readText(item.barcode, maxCode),
    quantity: readNumber(item.quantity, 3),
    weight: readNumber(item.weight, 3),
    price: readNumber(item.price, 2),
  }))
  return parsedItems.filter((item) => Object.values(item).some((value) => value !== null))
}

/** The value of a text of the courier; null if it is missing, empty or wrong. */
export function parseOrNull<T>(text: string | null, read: (text: string) => CellResult<T>): T | null {
  return text === null || isBlank(text) ? null : (read(text).value ?? null)
}
