import type { CourierParcel } from './measoft.ts'
import { chanceOf } from './network.clock.ts'

const minute = 60_000
/** A parcel is handed over every so many milliseconds, and watched for so long. */
const pace = 3 * minute
const kept = 60 * minute

const way: readonly (readonly [code: string, title: string])[] = [
  ['NEW', 'Новый'],
  ['ACCEPTED', 'Получен складом'],
  ['DEPARTURE', 'Отправлено со склада'],
  ['DELIVERY', 'Выдан курьеру на доставку'],
]
const ends: readonly (readonly [code: string, title: string])[] = [
  ['COMPLETE', 'Доставлен'],
  ['COMPLETE', 'Доставлен'],
  ['COMPLETE', 'Доставлен'],
  ['CANCELED', 'Не доставлен (Возврат/Отмена)'],
]
const persons = ['Азиза Юсупова', 'Otabek Qodirov', 'Севара Исмоилова', 'Жасур Рахимов', 'Nilufar Ergasheva']
const towns = ['Ташкент', 'Самарканд', 'Андижан', 'Бухара', 'Фергана']

/** The parcels of the last hour as they are at `now`: like the networks' book, by the clock alone. */
export function parcelsAt(now: number): CourierParcel[] {
  const last = Math.floor(now / pace)
  return Array.from({ length: kept / pace }, (_, back) => parcelAt(last - back, now)).filter(
    ({ statuses }) => statuses.length > 0,
  )
}

function parcelAt(n: number, now: number): CourierParcel {
  const pick = <T>(all: readonly T[], which: number) => all[Math.floor(chanceOf(n, which) * all.length)] as T
  let at = (n + chanceOf(n, 0)) * pace
  const day = local(at).slice(0, 10)
  const statuses = []
  for (const [i, [code, title]] of [...way, pick(ends, 1)].entries()) {
    if (at <= now) statuses.push({ code, title, eventtime: local(at) })
    at += (2 + 6 * chanceOf(n, 10 + i)) * minute
  }
  const digits = String(n).padStart(7, '0')
  return {
    orderno: `EX-${digits}`,
    day,
    person: pick(persons, 2),
    phone: `+998 90 ${digits.slice(-7, -4)}-${digits.slice(-4, -2)}-${digits.slice(-2)}`,
    town: pick(towns, 3),
    address: `Дом ${1 + Math.floor(chanceOf(n, 4) * 80)}`,
    weight: (0.3 + chanceOf(n, 5) * 4).toFixed(1),
    price: String(35_000 + Math.floor(chanceOf(n, 6) * 30) * 1000),
    statuses,
  }
}

/** Tashkent's time without an offset. */
const local = (at: number) => new Date(at + 5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
