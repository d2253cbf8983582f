import type { CourierOrder } from '../../integrations/measoft/measoft.ts'
import { findCourierState } from '../parcels/parcels.codes.ts'
import { readParcelDetails } from '../parcels/parcels.details.ts'
import type { ParcelEventInput } from '../parcels/parcels.types.ts'
import { removeControlCharacters } from '../../platform/http/wellformed.ts'
import {
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
export function parseCourierOrders(
  orders: readonly CourierOrder[],
  ownerId: number,
  services: ReadonlyMap<string, string>,
): ParsedOrders {
  const parsed: ParsedOrders = { events: [], problems: [] }
  for (const order of orders) {
    const orderno = parseOrNull(order.orderno, createTextParser(100))
    if (orderno === null || orderno === '') {
      parsed.problems.push('An order without a number')
      continue
    }
    const service = order.service === null ? null : (services.get(order.service) ?? order.service)
    const details = readParcelDetails((field, parse) =>
      parseOrNull(field === 'service' ? service : order[field], parse),
    )
    if (order.events.length === 0) parsed.problems.push(`${orderno} has no status`)
    for (const { code, title, time } of order.events) {
      const eventtime = parseOrNull(time, parseTime)
      if (eventtime === null) parsed.problems.push(`${orderno}: the time of ${code} cannot be read`)
      else
        parsed.events.push({
          ...details,
          orderno,
          owner_id: ownerId,
          state: findCourierState(
            removeControlCharacters(code.slice(0, 100)),
            removeControlCharacters(title.slice(0, 255)),
          ),
          eventtime,
        })
    }
  }
  return parsed
}

function parseOrNull<T>(text: string | null, read: (text: string) => CellResult<T>): T | null {
  return text === null || text === '' ? null : (read(text).value ?? null)
}
