import type { Cell } from '../../platform/exports/exports.cells.ts'

/** A template file: its columns and example rows. */
export interface Template {
  stem: string
  /** The example cells of each column, from the first row on. */
  columns: Readonly<Record<string, readonly Cell[]>>
}

/** `currency` is the installation's. */
export const buildLeadsTemplate = (currency: string): Template => ({
  stem: 'leads',
  columns: {
    external_id: ['1001', '1002'],
    created_at: ['2026-11-20T10:15:00+05:00', '2026-11-20T11:40:00+05:00'],
    status: ['accepted', 'sold'],
    payout: [45_000, 52_500.5],
    offer: ['Чайник электрический', 'Yostiq "Humo"'],
    offer_extra_id: ['501', '502'],
    stream: ['Telegram', null],
    stream_extra_id: ['77', null],
    updated_at: ['2026-11-20T12:00:00+05:00', '2026-11-21T09:42:00+05:00'],
    currency: [currency, currency],
    comment: [null, 'Перезвонить после обеда'],
    region: ['Ташкент', 'Samarqand viloyati'],
    cancel_reason: [null, null],
  },
})

const orderColumns = {
  orderno: ['A-1001', 'A-1002'],
  barcode: ['4780001000017', null],
  date: ['2026-11-20', '2026-11-21'],
  type: ['Посылка', 'Посылка'],
  weight: [0.85, 1.2],
  quantity: [1, 2],
  service: ['До двери', 'До двери'],
  delivery_price: [30_000, 45_000],
  cod_amount: [250_000, 0],
  pay_type: ['CASH', 'NO'],
  declared_value: [250_000, 480_000.5],
  items: ['Чайник * 2; Чашка', null],
  person: ['Дилноза Каримова', 'Rustam Oʻrinov'],
  company: [null, 'Baraka Savdo'],
  phone: ['998901234567', '998937654321'],
  address: ['ул. Навои, 12, кв. 5', 'Mustaqillik koʻchasi, 7'],
  town: ['Ташкент', 'Samarqand'],
} as const

export const orderFileTemplate: Template = { stem: 'orders', columns: orderColumns }

/** `owner` is the username of the person who requests the template, because that username exists. */
export const buildParcelsTemplate = (owner: string): Template => ({
  stem: 'parcels',
  columns: {
    ...orderColumns,
    courier_code: ['17', null],
    courier_name: ['Жасур Рахимов', null],
    courier_phone: ['998931112233', null],
    status: ['DELIVERED', 'IN_TRANSIT'],
    event_time: ['2026-11-21T16:05:00+05:00', '2026-11-21T18:30:00+05:00'],
    owner: [owner, owner],
  },
})
