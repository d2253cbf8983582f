import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import type { FastifyInstance } from 'fastify'
import { findParcelState } from '../src/domains/parcels/parcels.codes.ts'
import type { ParcelEventInput } from '../src/domains/parcels/parcels.types.ts'
import { callApi, type Session } from './app.ts'
import { sendFile } from './files.ts'

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
    cod_amount: null,
    pay_type: null,
    declared_value: null,
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

/** Imports a csv file of parcels with these lines, the header row first. */
export async function importParcels(
  app: FastifyInstance,
  admin: Session,
  lines: readonly string[],
): Promise<ImportAnswer> {
  const file = { name: 'parcels.csv', content: lines.join('\n') }
  return (await sendFile(app, admin, '/api/admin/parcels/import/', file)).json<ImportAnswer>()
}

/** Lists up to 100 parcels that a query finds. */
export async function listParcels(app: FastifyInstance, session: Session, query: string): Promise<Parcel[]> {
  const answer = await callApi(app, session, 'GET', `/api/parcel/parcels/all?limit=100&${query}`)
  if (answer.statusCode !== 200) throw new Error(`The list of parcels answered ${answer.body}`)
  return answer.json<Page<Parcel>>().items
}
