import type { ParcelCode } from '@karvon/contract/parcels/parcels.ts'

/** What a parcel's event says: the courier's own code, its title, and what it is to us. */
export interface ParcelState {
  raw: string
  title: string
  code: ParcelCode
}

/** The statuses of MeaSoft courier software, with the vendor's titles (vendor's API documentation). */
const measoft: readonly (readonly [raw: string, title: string, code: ParcelCode])[] = [
  ['AWAITING_SYNC', 'Ожидание синхронизации', 'PENDING'],
  ['NEW', 'Новый', 'PENDING'],
  ['NEWPICKUP', 'Создан забор', 'PENDING'],
  ['PICKUP', 'Забран у отправителя', 'PROCESSING'],
  ['WMSASSEMBLED', 'Скомплектован на складе фулфилмента', 'PROCESSING'],
  ['WMSDISASSEMBLED', 'Разукомплектован на склад фулфилмента', 'PROCESSING'],
  ['ACCEPTED', 'Получен складом', 'PROCESSING'],
  ['CUSTOMSPROCESS', 'Производится таможенный контроль', 'PROCESSING'],
  ['CUSTOMSFINISHED', 'Таможенный контроль произведен', 'PROCESSING'],
  ['CONFIRM', 'Согласована доставка', 'PROCESSING'],
  ['UNCONFIRM', 'Не удалось согласовать доставку', 'PROCESSING'],
  ['INVENTORY', 'Инвентаризация', 'PROCESSING'],
  ['DEPARTURING', 'Планируется отправка', 'IN_TRANSIT'],
  ['DEPARTURE', 'Отправлено со склада', 'IN_TRANSIT'],
  ['TRANSACCEPTED', 'Прибыл на склад перевозчика', 'IN_TRANSIT'],
  ['PICKUPTRANS', 'Забран у перевозчика', 'IN_TRANSIT'],
  ['PICKUPREADY', 'Готов к выдаче', 'IN_TRANSIT'],
  ['DELIVERY', 'Выдан курьеру на доставку', 'IN_TRANSIT'],
  ['DATECHANGE', 'Перенос', 'IN_TRANSIT'],
  ['COURIERDELIVERED', 'Доставлен (предварительно)', 'IN_TRANSIT'],
  ['COURIERPARTIALLY', 'Частично доставлен (предварительно)', 'IN_TRANSIT'],
  ['COURIERCANCELED', 'Отказ (предварительно)', 'IN_TRANSIT'],
  ['COURIERRETURN', 'Курьер вернул на склад', 'IN_TRANSIT'],
  ['COMPLETE', 'Доставлен', 'DELIVERED'],
  ['PARTIALLY', 'Доставлен частично', 'DELIVERED'],
  ['CANCELED', 'Не доставлен (Возврат/Отмена)', 'RETURNED'],
  ['RETURNING', 'Планируется возврат', 'RETURNED'],
  ['RETURNED', 'Возвращен', 'RETURNED'],
  ['PARTLYRETURNING', 'Планируется возврат остатков', 'DELIVERED'],
  ['PARTLYRETURNED', 'Остаток возвращен', 'DELIVERED'],
  ['LOST', 'Утрачен/утерян', 'RETURNED'],
]

/** Our own codes, for files that know no courier's. */
const own: readonly (readonly [ParcelCode, string])[] = [
  ['PENDING', 'Ожидает'],
  ['PROCESSING', 'В обработке'],
  ['IN_TRANSIT', 'В пути'],
  ['DELIVERED', 'Доставлен'],
  ['RETURNED', 'Возврат'],
]

const states: readonly ParcelState[] = [
  ...measoft.map(([raw, title, code]) => ({ raw, title, code })),
  ...own.map(([code, title]) => ({ raw: code, title, code })),
]

const plain = (text: string) => text.trim().toLowerCase().replaceAll('ё', 'е')
// The first to claim a word keeps it: codes before titles, the courier's before ours.
const known = new Map<string, ParcelState>()
for (const word of ['raw', 'title'] as const) {
  for (const state of states) if (!known.has(plain(state[word]))) known.set(plain(state[word]), state)
}

/** The state that a word stands for: a MeaSoft code, one of ours, or a title of either, in any case. */
export const stateOf = (word: string): ParcelState | undefined => known.get(plain(word))

/** The state that the courier tells by its code; one that the vendor added since keeps its own title. */
export const courierState = (raw: string, title: string): ParcelState =>
  states.find((state) => state.raw === raw) ?? { raw, title, code: 'PROCESSING' }

/** The state of an order that nobody has fetched yet. */
export const newOrder: ParcelState = { raw: 'NEW', title: 'Новый', code: 'PENDING' }
