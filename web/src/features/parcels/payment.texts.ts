import type { PayType } from '@karvon/contract/parcels/parcels.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

const payTypes: Readonly<Record<PayType, string>> = {
  CASH: 'Наличные',
  CARD: 'Карта',
  NO: 'Без оплаты',
  OTHER: 'Другое',
  OPTION: 'На выбор',
}

/** Texts about what the courier collects for a parcel. */
export const paymentTexts = defineMessages('parcels.payment', {
  columns: { amount: 'К получению, {currency}', courier: 'Курьер' },
  facts: {
    amount: 'К получению',
    declared: 'Объявленная ценность',
    courier: 'Курьер',
    items: 'Товары',
    settled: 'Рассчитана',
  },
  payTypes,
  item: '{name} × {quantity}',
  unnamedItem: 'Товар без названия',
  allOfCourier: 'Все посылки курьера',
  unsettled: 'Не рассчитаны',
  unsettledSince: 'Сколько дней прошло с доставки',
  anyDays: 'Любой срок',
  days: 'От {days} дней',
  payType: 'Оплата',
  anyPayType: 'Любая оплата',
  courier: 'Курьер {code}',
})
