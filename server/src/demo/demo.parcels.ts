import type { ParcelItem } from '@karvon/contract/parcels/parcels.ts'
import type { Db } from '../platform/database/pool.ts'
import { SeededRandom } from './demo.random.ts'
import { dayMilliseconds, formatDay, hourMilliseconds, formatTime, type LocalClock } from './demo.clock.ts'
import { couriers, goods, persons, towns } from './demo.data.ts'
import type { DemoContext } from './demo.references.ts'
import type { DemoParcel } from './demo.parts.ts'

const count = 1300
const daysBack = 50
const batch = 2000

/** The usual events of a parcel: the courier's code, and the hours after the previous event. */
const usualEvents: readonly (readonly [code: string, low: number, high: number])[] = [
  ['NEW', 0, 0],
  ['ACCEPTED', 4, 40],
  ['CONFIRM', 2, 30],
  ['DEPARTURE', 4, 30],
  ['DELIVERY', 16, 90],
]

/** Stores about 1,300 parcels of several owners with their histories. Most of them are of this month. */
export async function createParcels(
  trx: Db,
  { parts, references, clock, random }: DemoContext,
): Promise<void> {
  const events = pickDays(clock, random).flatMap((day, at) =>
    createParcelEvents({ day, at, references, clock, random }),
  )
  for (let at = 0; at < events.length; at += batch)
    await parts.storeParcels(trx, events.slice(at, at + batch))
}

/** The days of the orders, oldest first. Early in a month, fewer orders are of this month. */
function pickDays(clock: LocalClock, random: SeededRandom): number[] {
  const passedDays = (clock.today - clock.month) / dayMilliseconds
  const recentShare = Math.min(0.8, 0.1 + passedDays * 0.05)
  return Array.from({ length: count }, () => {
    const daysAgo = random.isHit(recentShare) ? random.integer(0, passedDays) : random.integer(0, daysBack)
    return clock.today - daysAgo * dayMilliseconds
  }).toSorted((a, b) => a - b)
}

function createParcelEvents({
  day,
  at,
  references,
  clock,
  random,
}: Omit<DemoContext, 'parts'> & { day: number; at: number }): DemoParcel[] {
  // Each parcel has its own generator, so that its payment does not change the other parcels.
  const paymentRandom = new SeededRandom(at)
  const [town, streets, price] = random.pickEarly(towns)
  const person = random.pick(persons)
  const quantity = random.isHit(0.85) ? 1 : random.integer(2, 4)
  const weight = random.between(0.3, 3) * (random.isHit(0.1) ? 5 : 1)
  const parcel = {
    orderno: `EX-${203_600 + at}`,
    owner_id: random.pick(references.owners),
    day: formatDay(day),
    barcode: String(4_780_012_345_671 + at * 7),
    type_name: random.pickEarly(['Товар', 'Документы', 'Хрупкое']),
    weight: weight.toFixed(1),
    quantity,
    service_name: random.pickEarly(['Экспресс', 'Стандарт', 'До пункта выдачи']),
    delivery_price: String(price + Math.round(weight) * 1000),
    person,
    company: random.isHit(0.08) ? 'ООО «Нурафшон Трейд»' : null,
    phone: `+998 ${random.pick([90, 91, 93, 94, 97, 99])} ${pickDigits(random, 3)}-${pickDigits(random, 2)}-${pickDigits(random, 2)}`,
    address: `${town}, ${random.pick(streets)}, дом ${random.integer(1, 120)}`,
    town,
    ...pickPayment(quantity, paymentRandom),
    ...noCourier,
  }
  const orderTime = Math.min(
    day + random.between(8.5, 20) * hourMilliseconds,
    clock.now - random.between(0, 1) * hourMilliseconds,
  )
  // The time of an order must not be before its day.
  const events = pickHistory(Math.max(orderTime, day), random).filter((event) => event.at <= clock.now)
  const [courier_code, courier_name, courier_phone] = paymentRandom.pick(couriers)
  // The office gives a parcel to a courier on the day of the delivery.
  const delivery = events.findIndex(({ code }) => code === 'DELIVERY')
  return events.map(({ code, at: eventAt }, index) => ({
    ...parcel,
    ...(delivery !== -1 && index >= delivery && { courier_code, courier_name, courier_phone }),
    state: code,
    eventtime: formatTime(eventAt),
  }))
}

const noItem = { code: null, article: null, barcode: null, weight: null }
const noCourier = { courier_code: null, courier_name: null, courier_phone: null }

/** The items of a parcel, and what the courier collects for them: mostly their price in cash, or nothing. */
function pickPayment(quantity: number, random: SeededRandom) {
  const [name, price] = random.pick(goods)
  const pay_type = random.pickEarly(['CASH', 'CARD', 'NO', 'OPTION'] as const)
  const item: ParcelItem = { ...noItem, name, quantity, price }
  return {
    cod_amount: pay_type === 'NO' ? '0' : String(price * quantity),
    pay_type,
    declared_value: String(price * quantity),
    items: JSON.stringify([item]),
  }
}

function pickHistory(orderTime: number, random: SeededRandom): { code: string; at: number }[] {
  let at = orderTime
  const events = usualEvents.map(([code, low, high]) => {
    at += random.between(low, high) * hourMilliseconds
    return { code, at }
  })
  const addEvent = (code: string, low: number, high: number) => {
    at += random.between(low, high) * hourMilliseconds
    events.push({ code, at })
  }
  const chance = random.next()
  if (chance < 0.12) addEvent('DATECHANGE', 4, 20)
  if (chance < 0.06) addEvent('COURIERCANCELED', 20, 40)
  addEvent(chance < 0.08 ? 'CANCELED' : 'COMPLETE', 3, 40)
  if (chance < 0.05) addEvent('RETURNED', 40, 90)
  return events
}

const pickDigits = (random: SeededRandom, count: number) =>
  String(random.integer(0, 10 ** count - 1)).padStart(count, '0')
