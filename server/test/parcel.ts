import { findParcelState } from '../src/domains/parcels/parcels.codes.ts'
import type { ParcelEventInput } from '../src/domains/parcels/parcels.types.ts'

/** A courier's event with a status as the courier names it. All other fields are empty unless overridden. */
export function buildParcelEvent(
  orderno: string,
  courierStatus: string,
  overrides: Partial<ParcelEventInput> & Pick<ParcelEventInput, 'eventtime'>,
): ParcelEventInput {
  const state = findParcelState(courierStatus)
  if (state === undefined) throw new Error(`The status ${courierStatus} is unknown`)
  return {
    orderno,
    state,
    owner_id: null,
    day: null,
    barcode: null,
    type_name: null,
    weight: null,
    quantity: null,
    service_name: null,
    delivery_price: null,
    cash_on_delivery: null,
    pay_type: null,
    insured_price: null,
    items: null,
    courier_code: null,
    courier_name: null,
    courier_phone: null,
    person: null,
    company: null,
    phone: null,
    address: null,
    town: null,
    ...overrides,
  }
}
