import { normalizeSpelling } from '@karvon/contract/lib/trim-text.ts'
import type { ParcelCode } from '@karvon/contract/parcels/parcels.ts'

/** The state of a parcel: the courier's own code, its title, and our code. */
export interface ParcelState {
  raw: string
  title: string
  code: ParcelCode
}

/** The statuses of the MeaSoft courier software, with titles from the vendor's API documentation. */
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

/** Our own codes, for files without the courier's codes. */
const ownStates: readonly (readonly [ParcelCode, string])[] = [
  ['PENDING', 'Ожидает'],
  ['PROCESSING', 'В обработке'],
  ['IN_TRANSIT', 'В пути'],
  ['DELIVERED', 'Доставлен'],
  ['RETURNED', 'Возврат'],
]

const states: readonly ParcelState[] = [
  ...measoft.map(([raw, title, code]) => ({ raw, title, code })),
  ...ownStates.map(([code, title]) => ({ raw: code, title, code })),
]

const normalize = (text: string) => normalizeSpelling(text).toLowerCase().replaceAll('ё', 'е')
// Of several entries of a text the first one applies: codes before titles, the courier's texts before ours.
const statesByText = new Map<string, ParcelState>()
for (const key of ['raw', 'title'] as const) {
  for (const state of states)
    if (!statesByText.has(normalize(state[key]))) statesByText.set(normalize(state[key]), state)
}

/** Finds the state of a text: a MeaSoft code, one of our codes, or a title of either, in upper or lower case. */
export const findParcelState = (text: string): ParcelState | undefined => statesByText.get(normalize(text))

/** Finds the state of a courier's code. An unknown code keeps the courier's title. */
export const findCourierState = (raw: string, title: string): ParcelState =>
  states.find((state) => state.raw === raw) ?? { raw, title, code: 'PROCESSING' }

/** The state of a new order. */
export const newOrderState: ParcelState = { raw: 'NEW', title: 'Новый', code: 'PENDING' }
