import type { CourierOrder } from '../../integrations/measoft/measoft.ts'
import { withoutControls } from '../../platform/http/wellformed.ts'
import {
  readDay,
  readDecimal,
  readMoment,
  textUpTo,
  type Reading,
} from '../../platform/spreadsheets/spreadsheets.values.ts'

/** What the sink of parcels takes; see there. `State` is what it knows of a courier's code. */
export interface CourierTold<State> {
  orderno: string
  owner_id: number
  state: State
  eventtime: string
  day: string | null
  barcode: string | null
  type_name: string | null
  weight: string | null
  quantity: number | null
  service_name: string | null
  delivery_price: string | null
  person: string | null
  company: string | null
  phone: string | null
  address: string | null
  town: string | null
}

export interface ReadOrders<State> {
  events: CourierTold<State>[]
  /** Orders and events that cannot be read, and why. */
  problems: string[]
}

/**
 * The events of the courier's orders. An order without a number, or an event with a code or a time that nobody
 * can read, is left out and named; a value of the parcel itself that cannot be read is left out alone.
 */
export function readCourierOrders<State>(
  orders: readonly CourierOrder[],
  ownerId: number,
  services: ReadonlyMap<string, string>,
  stateOf: (code: string, title: string) => State,
): ReadOrders<State> {
  const answer: ReadOrders<State> = { events: [], problems: [] }
  for (const order of orders) {
    const orderno = valueOf(order.orderno, textUpTo(100))
    if (orderno === null || orderno === '') {
      answer.problems.push('An order without a number')
      continue
    }
    const service = order.service === null ? null : (services.get(order.service) ?? order.service)
    const quantity = valueOf(order.quantity, (value) => readDecimal(value.replace(/[.,]0+$/, ''), 0, 9))
    const facts = {
      orderno,
      owner_id: ownerId,
      day: valueOf(order.date, readDay),
      barcode: valueOf(order.barcode, textUpTo(100)),
      type_name: valueOf(order.type, textUpTo(255)),
      weight: valueOf(order.weight, (value) => readDecimal(value, 3, 9)),
      quantity: quantity === null ? null : Number(quantity),
      service_name: valueOf(service, textUpTo(255)),
      delivery_price: valueOf(order.delivery_price, (value) => readDecimal(value, 2)),
      person: valueOf(order.person, textUpTo(255)),
      company: valueOf(order.company, textUpTo(255)),
      phone: valueOf(order.phone, textUpTo(100)),
      address: valueOf(order.address, textUpTo(1000)),
      town: valueOf(order.town, textUpTo(255)),
    }
    if (order.events.length === 0) answer.problems.push(`${orderno} has no status`)
    for (const { code, title, time } of order.events) {
      const eventtime = valueOf(time, readMoment)
      if (eventtime === null) answer.problems.push(`${orderno}: the time of ${code} cannot be read`)
      else
        answer.events.push({
          ...facts,
          state: stateOf(withoutControls(code.slice(0, 100)), withoutControls(title.slice(0, 255))),
          eventtime,
        })
    }
  }
  return answer
}

function valueOf<T>(text: string | null, read: (text: string) => Reading<T>): T | null {
  return text === null || text === '' ? null : (read(text).value ?? null)
}
