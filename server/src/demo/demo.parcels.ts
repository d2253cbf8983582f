import type { Db } from '../platform/database/pool.ts'
import type { Chance } from './demo.chance.ts'
import { dayLong, dayText, hourLong, momentText, type LocalClock } from './demo.clock.ts'
import { persons, towns } from './demo.desk.data.ts'
import type { DemoDesk } from './demo.desk.ts'
import type { DemoParcel, DemoParts } from './demo.parts.ts'

const count = 1300
const daysBack = 50
const batch = 2000

/** The usual way of a parcel: the courier's code, and hours after the event before it. */
const way: readonly (readonly [code: string, low: number, high: number])[] = [
  ['NEW', 0, 0],
  ['ACCEPTED', 4, 40],
  ['CONFIRM', 2, 30],
  ['DEPARTURE', 4, 30],
  ['DELIVERY', 16, 90],
]

/** Takes in some 1,300 parcels of several owners, most of them of this month, each with its history. */
export async function makeParcels(
  trx: Db,
  parts: DemoParts,
  desk: DemoDesk,
  clock: LocalClock,
  chance: Chance,
): Promise<void> {
  const events = daysOf(clock, chance).flatMap((day, at) => parcelOf(day, at, desk, clock, chance))
  for (let at = 0; at < events.length; at += batch) await parts.takeParcels(trx, events.slice(at, at + batch))
}

/** The days of the orders, oldest first: early in a month fewer of them are of this month. */
function daysOf(clock: LocalClock, chance: Chance): number[] {
  const passed = (clock.today - clock.month) / dayLong
  const recent = Math.min(0.8, 0.1 + passed * 0.05)
  return Array.from({ length: count }, () => {
    const back = chance.chance(recent) ? chance.whole(0, passed) : chance.whole(0, daysBack)
    return clock.today - back * dayLong
  }).toSorted((a, b) => a - b)
}

function parcelOf(day: number, at: number, desk: DemoDesk, clock: LocalClock, chance: Chance): DemoParcel[] {
  const [town, streets, price] = chance.early(towns)
  const person = chance.of(persons)
  const quantity = chance.chance(0.85) ? 1 : chance.whole(2, 4)
  const weight = chance.between(0.3, 3) * (chance.chance(0.1) ? 5 : 1)
  const parcel = {
    orderno: `EX-${203_600 + at}`,
    owner_id: chance.of(desk.owners),
    day: dayText(day),
    barcode: String(4_780_012_345_671 + at * 7),
    type_name: chance.early(['Товар', 'Документы', 'Хрупкое']),
    weight: weight.toFixed(1),
    quantity,
    service_name: chance.early(['Экспресс', 'Стандарт', 'До пункта выдачи']),
    delivery_price: String(price + Math.round(weight) * 1000),
    person,
    company: chance.chance(0.08) ? 'ООО «Нурафшон Трейд»' : null,
    phone: `+998 ${chance.of([90, 91, 93, 94, 97, 99])} ${digits(chance, 3)}-${digits(chance, 2)}-${digits(chance, 2)}`,
    address: `${town}, ${chance.of(streets)}, дом ${chance.whole(1, 120)}`,
    town,
  }
  const ordered = Math.min(
    day + chance.between(8.5, 20) * hourLong,
    clock.now - chance.between(0, 1) * hourLong,
  )
  // An order of today's first hour must not fall on yesterday.
  const events = historyOf(Math.max(ordered, day), chance).filter((event) => event.at <= clock.now)
  return events.map(({ code, at: eventAt }) => ({ ...parcel, state: code, eventtime: momentText(eventAt) }))
}

function historyOf(ordered: number, chance: Chance): { code: string; at: number }[] {
  let at = ordered
  const events = way.map(([code, low, high]) => {
    at += chance.between(low, high) * hourLong
    return { code, at }
  })
  const then = (code: string, low: number, high: number) => {
    at += chance.between(low, high) * hourLong
    events.push({ code, at })
  }
  const fate = chance.next()
  if (fate < 0.12) then('DATECHANGE', 4, 20)
  if (fate < 0.06) then('COURIERCANCELED', 20, 40)
  then(fate < 0.08 ? 'CANCELED' : 'COMPLETE', 3, 40)
  if (fate < 0.05) then('RETURNED', 40, 90)
  return events
}

const digits = (chance: Chance, count: number) =>
  String(chance.whole(0, 10 ** count - 1)).padStart(count, '0')
