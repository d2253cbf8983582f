import { maxCode, maxLine, maxParcelItems } from '@karvon/contract/lib/limits.ts'
import type { ParcelItem } from '@karvon/contract/parcels/parcels.ts'
import type { CourierItem, CourierOrder } from '../../integrations/measoft/measoft.ts'
import { findCourierState } from '../parcels/parcels.codes.ts'
import { readParcelDetails } from '../parcels/parcels.details.ts'
import { formatItems } from '../parcels/parcels.items.ts'
import type { ParcelEventInput } from '../parcels/parcels.types.ts'
import { mapInTurns } from '../../platform/outgoing-http/answers.ts'
import { isBlank, removeControlCharacters } from '../../platform/http/wellformed.ts'
import {
  parseDecimal,
  parseTime,
  createTextParser,
  type CellResult,
} from '../../platform/spreadsheets/spreadsheets.values.ts'

export interface ParsedOrders {
  events: ParcelEventInput[]
  /** The reasons why orders and events cannot be parsed. */
  problems: string[]
}

/**
 * Parses the events of the courier's orders. An order without a number and an event without a readable time are left
 * out and reported as problems. A detail of a parcel that cannot be parsed becomes null.
 * `services` maps the codes of services to their names.
 */
export async function parseCourierOrders(
  orders: readonly CourierOrder[],
  ownerId: number,
  services: ReadonlyMap<string, string>,
): Promise<ParsedOrders> {
  const parsedOrders = await mapInTurns(orders, (order) => parseOrder(order, ownerId, services))
  return {
    events: parsedOrders.flatMap(({ events }) => events),
    problems: parsedOrders.flatMap(({ problems }) => problems),
  }
}

function parseOrder(
  order: CourierOrder,
  owner_id: number,
  services: ReadonlyMap<string, string>,
): ParsedOrders {
  const orderno = parseOrNull(order.orderno, createTextParser(100))
  if (orderno === null || orderno === '') return { events: [], problems: ['An order without a number'] }
  const texts = {
    ...order,
    service: order.service === null ? null : (services.get(order.service) ?? order.service),
    // The courier has no list of the names of types. A code would replace the name that an order file gave.
    type: order.type === null || /^\d+$/.test(order.type.trim()) ? null : order.type,
  }
  const details = {
    ...readParcelDetails((field, parse) => (field === 'items' ? null : parseOrNull(texts[field], parse))),
    items: formatItems(parseItems(order.items)),
  }
  const events: ParcelEventInput[] = []
  const problems = order.events.length === 0 ? [`${orderno} has no status`] : []
  for (const { code, title, time } of order.events) {
    const eventtime = parseOrNull(time, parseTime)
    if (eventtime === null) problems.push(`${orderno}: the time of ${code} cannot be read`)
    else
      events.push({
        ...details,
        orderno,
        owner_id,
        state: findCourierState(
          removeControlCharacters(code.slice(0, 100)),
          removeControlCharacters(title.slice(0, 255)),
        ),
        eventtime,
      })
  }
  return { events, problems }
}

/**
 * Parses the first {@link maxParcelItems} items. A value that cannot be parsed becomes null, and an item without any value
 * is left out.
 */
function parseItems(items: readonly CourierItem[]): ParcelItem[] {
  const readText = (text: string | null, max: number) => parseOrNull(text, createTextParser(max))
  const readNumber = (text: string | null, decimals: number) => {
    const value = parseOrNull(text, (decimalText) => parseDecimal(decimalText, decimals, 9))
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
