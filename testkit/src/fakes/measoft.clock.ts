import type { CourierParcel } from './measoft.ts'
import { randomOf } from './network.clock.ts'

const minute = 60_000
/** Milliseconds between two new parcels, and milliseconds until a parcel is removed. */
const parcelInterval = 3 * minute
const parcelLifetime = 60 * minute

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

/** The parcels of the last hour at the time `now`. They depend on the time only, like the orders of `ClockStore`. */
export function listParcelsAt(now: number): CourierParcel[] {
  const last = Math.floor(now / parcelInterval)
  return Array.from({ length: parcelLifetime / parcelInterval }, (_, back) =>
    parcelAt(last - back, now),
  ).filter(({ statuses }) => statuses.length > 0)
}

function parcelAt(n: number, now: number): CourierParcel {
  const pick = <T>(all: readonly T[], which: number) => all[Math.floor(randomOf(n, which) * all.length)] as T
  let at = (n + randomOf(n, 0)) * parcelInterval
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
const toLocalTime = (at: number) => new Date(at + 5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
