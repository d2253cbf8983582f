import type { FakeAct, FakeActLine } from './measoft.acts.ts'
import type { CourierParcel } from './measoft.xml.ts'
import { randomOf } from './network.clock.ts'

const minute = 60_000
const hour = 60 * minute
/** Milliseconds between two new parcels, and milliseconds in which each gets its last status. */
const parcelInterval = 3 * minute
const parcelLifetime = hour
/**
 * The period of an act in milliseconds: it has the parcels that were delivered in it. It is issued a little later, and
 * paid with the next.
 */
const actInterval = 2 * hour
const actDelay = 10 * minute
/** Milliseconds for which acts are listed. Their parcels are listed for longer. */
const listedTime = 24 * hour

const usualStatuses: readonly (readonly [code: string, title: string])[] = [
  ['NEW', 'Новый'],
  ['ACCEPTED', 'Получен складом'],
  ['DEPARTURE', 'Отправлено со склада'],
  ['DELIVERY', 'Выдан курьеру на доставку'],
]
const finalStatuses: readonly (readonly [code: string, title: string])[] = [
  ['COMPLETE', 'Доставлен'],
  ['COMPLETE', 'Доставлен'],
  ['COMPLETE', 'Доставлен'],
  ['CANCELED', 'Не доставлен (Возврат/Отмена)'],
]
const persons = ['Азиза Юсупова', 'Otabek Qodirov', 'Севара Исмоилова', 'Жасур Рахимов', 'Nilufar Ergasheva']
const couriers = [
  { code: '11', name: 'Жасур Рахимов', phone: '+998931112233' },
  { code: '15', name: 'Sherzod Aliyev', phone: '+998973334455' },
]
const goods = [
  { name: 'Смарт-часы X9', article: 'SW-9', price: 149_000 },
  { name: 'Blender Pro 600', article: 'BL-600', price: 329_000 },
  { name: 'Чемодан L', article: 'CH-L', price: 459_000 },
]
const payTypes = ['CASH', 'CASH', 'CARD', 'NO']
const towns = ['Ташкент', 'Самарканд', 'Андижан', 'Бухара', 'Фергана']

/**
 * The parcels at the time `now` of an account that was opened at `openedAt`. They depend on the time only, like the orders of
 * `ClockStore`. A product that was stopped for less than a day gets the events that it missed.
 */
export function listParcelsAt(now: number, openedAt: number): CourierParcel[] {
  const from = Math.max(openedAt, now - listedTime - actInterval - parcelLifetime)
  return listParcels(from, now, now).filter(({ statuses }) => statuses.length > 0)
}

/** The acts at the time `now`. Each line is a parcel of {@link listParcelsAt}, with the fees that the demo agreed on. */
export function listActsAt(now: number, openedAt: number): FakeAct[] {
  const last = Math.floor((now - actDelay) / actInterval) - 1
  const first = Math.ceil((now - listedTime) / actInterval)
  return Array.from({ length: last - first + 1 }, (_, i) => buildAct(first + i, now, openedAt)).filter(
    ({ lines }) => lines.length > 0,
  )
}

/** The act of the period with this number since 1970. */
function buildAct(period: number, now: number, openedAt: number): FakeAct {
  const from = period * actInterval
  const until = from + actInterval
  const [start, end] = [toLocalTime(from), toLocalTime(until)]
  const createdFrom = Math.max(openedAt, from - parcelLifetime)
  const lines = listParcels(createdFrom, until, until).flatMap((parcel) => {
    const { code, eventtime } = parcel.statuses.at(-1) ?? { code: '', eventtime: '' }
    return code === 'COMPLETE' && eventtime >= start && eventtime < end ? [toLine(parcel, eventtime)] : []
  })
  const paidAt = until + actDelay + actInterval
  return {
    code: String(period),
    number: `${toLocalTime(until).slice(2, 10).replaceAll('-', '')}-${period % 100}`,
    actdate: toLocalTime(until + actDelay).slice(0, 10),
    ...(paidAt <= now && { datepay: toLocalTime(paidAt).slice(0, 10) }),
    signedcopyreceived: paidAt <= now ? 'YES' : 'NO',
    lines,
  }
}

/** The fees are the tariff of server/src/demo. */
function toLine({ orderno, collected = '0', payType }: CourierParcel, eventtime: string): FakeActLine {
  return {
    code: orderno.slice(3),
    orderno,
    delivereddate: eventtime.slice(0, 10),
    rur: Number(collected).toFixed(2),
    pricekur: '30000.00',
    priceag: (Number(collected) / 100).toFixed(2),
    ...(payType !== undefined && { paytype: payType }),
  }
}

/** The parcels that were created from `from` until `until`, oldest first, with their statuses at the time `now`. */
function listParcels(from: number, until: number, now: number): CourierParcel[] {
  const first = Math.floor(from / parcelInterval)
  const last = Math.floor(until / parcelInterval)
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .filter((n) => createdAt(n) >= from && createdAt(n) <= until)
    .map((n) => buildParcel(n, now))
}

const createdAt = (n: number) => (n + randomOf(n, 0)) * parcelInterval

function buildParcel(n: number, now: number): CourierParcel {
  const pick = <T>(items: readonly T[], draw: number) =>
    items[Math.floor(randomOf(n, draw) * items.length)] as T
  let at = createdAt(n)
  const day = toLocalTime(at).slice(0, 10)
  const statuses = []
  for (const [i, [code, title]] of [...usualStatuses, pick(finalStatuses, 1)].entries()) {
    if (at <= now) statuses.push({ code, title, eventtime: toLocalTime(at) })
    at += (2 + 6 * randomOf(n, 10 + i)) * minute
  }
  const digits = String(n).padStart(7, '0')
  const quantity = 1 + Math.floor(randomOf(n, 7) * 2)
  const { price, ...good } = pick(goods, 8)
  const payType = pick(payTypes, 9)
  return {
    orderno: `EX-${digits}`,
    day,
    person: pick(persons, 2),
    phone: `+998 90 ${digits.slice(-7, -4)}-${digits.slice(-4, -2)}-${digits.slice(-2)}`,
    town: pick(towns, 3),
    address: `Дом ${1 + Math.floor(randomOf(n, 4) * 80)}`,
    weight: (0.3 + randomOf(n, 5) * 4).toFixed(1),
    price: String(35_000 + Math.floor(randomOf(n, 6) * 30) * 1000),
    payType,
    collected: payType === 'NO' ? '0' : String(price * quantity),
    declaredValue: String(price * quantity),
    // The office gives a parcel to a courier on the day of the delivery.
    ...(statuses.some(({ code }) => code === 'DELIVERY') && { courier: pick(couriers, 20) }),
    items: [{ ...good, quantity, price: String(price) }],
    statuses,
  }
}

/** Tashkent's time without an offset. */
const toLocalTime = (at: number) => new Date(at + 5 * hour).toISOString().slice(0, 19).replace('T', ' ')
