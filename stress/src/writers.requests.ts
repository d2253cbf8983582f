import { randomUUID } from 'node:crypto'
import { sendOrThrow, type ClientRequest } from './client.ts'

/** Rows of the product that writers need. */
export interface WriterSetup {
  token: string
  status: number
  source: number
  postbackKey: string
  courierAccount: number
}

export async function createWriterSetup(url: string, token: string): Promise<WriterSetup> {
  const { items } = await sendOrThrow<{ items: { id: number }[] }>(url, token, {
    method: 'GET',
    path: '/api/admin/statuses/',
  })
  const source = await sendOrThrow<{ id: number; postback_key: string }>(url, token, {
    method: 'POST',
    path: '/api/admin/cpa-sources/',
    json: { name: `Network ${randomUUID()}`, url: 'https://network.example', is_active: true },
  })
  const { id: person } = await sendOrThrow<{ id: number }>(url, token, {
    method: 'GET',
    path: '/parcel/auth/me',
  })
  const courierAccount = await sendOrThrow<{ id: number }>(url, token, {
    method: 'POST',
    path: '/api/admin/courier-accounts/',
    json: {
      name: 'Courier',
      url: 'https://courier.example/',
      extra: '1',
      login: 'stress',
      pass: 'stress',
      user_id: person,
      is_active: false,
    },
  })
  return {
    token,
    status: items[0]?.id ?? 0,
    source: source.id,
    postbackKey: source.postback_key,
    courierAccount: courierAccount.id,
  }
}

export const kinds = ['offer', 'lead', 'parcel', 'postback', 'upload', 'act'] as const
export type Kind = (typeof kinds)[number]

/** Builds the body of an offer. */
export const buildOffer = ({ status, source }: WriterSetup, name: string, price: number) => ({
  name,
  price,
  affiliate_fee: 1,
  store_name: 'Stress',
  status_id: status,
  source_id: source,
  extra_id: name,
})

/** Build the request that creates the row `id`. The writer repeats the same request until it is acknowledged. */
export const requestBuilders: Record<Kind, (setup: WriterSetup, id: string) => ClientRequest> = {
  offer: (setup, id) => ({
    method: 'POST',
    path: '/api/admin/offers/',
    json: buildOffer(setup, id, 5),
    key: id,
  }),
  lead: ({ source }, id) => ({
    method: 'POST',
    path: '/api/admin/leads/import/',
    file: {
      name: 'leads.csv',
      content: `external_id,created_at,status,payout\n${id},2026-11-20 10:00,sold,5`,
    },
    fields: { source_id: String(source) },
    key: id,
  }),
  parcel: (_setup, id) => ({
    method: 'POST',
    path: '/api/admin/parcels/import/',
    file: { name: 'parcels.csv', content: `orderno,status,event_time\n${id},NEW,2026-11-20 09:00` },
    key: id,
  }),
  postback: ({ postbackKey }, id) => ({
    method: 'GET',
    path: `/api/postback/${postbackKey}?tid=${id}&status=sold&payout=5`,
  }),
  act: ({ courierAccount }, id) => ({
    method: 'POST',
    path: '/api/admin/settlements/import/',
    file: {
      name: 'acts.csv',
      content: `act_number,act_date,orderno,collected\n${id},2026-11-20,${id},10`,
    },
    fields: { courier_account_id: String(courierAccount) },
    key: id,
  }),
  upload: (_setup, id) => ({
    method: 'POST',
    path: '/api/parcel/files/upload/',
    file: { name: `${id}.pdf`, content: `%PDF-1.4\n% ${id}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n` },
    key: id,
  }),
}
