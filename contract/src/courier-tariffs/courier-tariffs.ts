import { day, money, percent, reference, text } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/**
 * The fees that were agreed with the courier of an account: `delivery_fee` for each delivered parcel, and for the
 * collected cash `cash_percent` of it plus `cash_fee`. A tariff is valid from its day until the next one of the
 * account.
 */
export const courierTariffs = resource({
  name: 'courier-tariffs',
  feature: 'settlements',
  noun: { one: 'courier tariff', many: 'courier tariffs' },
  title: 'Courier tariffs',
  fields: {
    name: text('Name', { required: 'always', search: true }),
    courier_account_id: reference('Courier account', 'courier-accounts', { required: 'always' }),
    delivery_fee: money('Delivery fee', { required: 'always' }),
    cash_percent: percent('Cash fee, %'),
    cash_fee: money('Cash fee'),
    valid_from: day('Valid from', { required: 'always' }),
  },
  columns: ['name', 'courier_account_id', 'delivery_fee', 'cash_percent', 'cash_fee', 'valid_from'],
})
