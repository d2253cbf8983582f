import { acceptsIdempotencyKey, type Call } from '@karvon/contract/lib/call.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { calls, resources } from '@karvon/contract/registry.ts'
import type { LightMyRequestResponse } from 'fastify'
import { insertAlert } from './alert-rows.ts'
import { callApi, firstAdmin, type Product, type Session } from './app.ts'
import { sendFile, type TestFile } from './files.ts'
import { newApprovedWithdrawal, newSentWithdrawal, newWithdrawal } from './keyed-withdrawals.ts'
import { createSample, sampleBody } from './sample.ts'
import { createUser, readId } from './people.ts'
import { insertScheduledTestView, insertTestView } from './view-rows.ts'

/** One request of a call, as often as it is wanted. */
export interface KeyedRequest {
  id?: number
  body?: object
  /** Another valid body, if a changed text or number would not be valid. */
  differentBody?: object
  file?: TestFile
  fields?: Record<string, string>
}

/** Every call by each verb for which it minds an Idempotency-Key. */
export const keyedCalls: readonly [string, 'POST' | 'PUT', Call][] = calls.flatMap((call) =>
  (['POST', 'PUT'] as const).flatMap((method): [string, 'POST' | 'PUT', Call][] =>
    [call.method, call.alternateMethod].includes(method) && acceptsIdempotencyKey(call, method)
      ? [[call.id, method, call]]
      : [],
  ),
)

/** Sends a request with an Idempotency-Key. */
export function sendKeyed(
  { app }: Product,
  as: Session,
  [, method, call]: (typeof keyedCalls)[number],
  { id, body, file, fields }: KeyedRequest,
  key: string,
): Promise<LightMyRequestResponse> {
  const url = call.path.replace(':id', String(id))
  const headers = { ...as.headers, 'idempotency-key': key }
  if (file !== undefined) return sendFile(app, as, url, file, fields, headers)
  return app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
}

/**
 * Creates a request of a call that changes something. Calls of resources need no entry in the list. Any other call that
 * changes something and has no entry fails the test.
 */
export async function createRequest(product: Product, admin: Session, call: Call): Promise<KeyedRequest> {
  const { app } = product
  for (const resource of resources) {
    const { create, update } = resourceCalls(resource)
    if (call.id === create.id) return { body: await sampleBody(app, admin, resource) }
    if (call.id !== update.id) continue
    const row = await createSample(app, admin, resource)
    return { id: row.id, body: await sampleBody(app, admin, resource) }
  }
  const build = requests[call.id]
  if (build === undefined)
    throw new Error(`${call.id} changes something: add its request to test/keyed-calls.ts`)
  return build(product, admin)
}

let serial = 0
const nextSerial = () => (serial += 1)
type RequestBuilder = (product: Product, admin: Session) => Promise<KeyedRequest>

const query = async ({ deps }: Product, text: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await deps.pool.query<{ id: number }>(text, values)
  return rows[0]?.id ?? 0
}

const createNamedSample = (name: string, product: Product, admin: Session) => {
  const resource = resources.find((entry) => entry.name === name)
  if (resource === undefined) throw new Error(`No resource is called ${name}`)
  return createSample(product.app, admin, resource)
}

const createOf =
  (name: string): RequestBuilder =>
  async (product, admin) => ({ id: (await createNamedSample(name, product, admin)).id })

async function newUser(product: Product, admin: Session): Promise<number> {
  const name = `keyed${nextSerial()}`
  await createUser(product.app, admin, name)
  return readId(product.app, admin, `/api/admin/users/?username=${name}`)
}

async function newLead(product: Product, admin: Session): Promise<number> {
  const source = await createNamedSample('cpa-sources', product, admin)
  const text = `insert into leads (source_id, external_id, source_status, day, created_at, updated_at)
    values ($1, $2, 'what', current_date, now(), now()) returning id`
  return query(product, text, [source.id, `keyed ${nextSerial()}`])
}

const parcelText = `insert into parcels (orderno, day, status_code, status_raw, status_title, eventtime)
  values ($1, current_date, 'PENDING', 'NEW', 'New', now()) returning id`

const newActFile = () => ({
  name: 'acts.csv',
  content: `act_number,act_date,orderno,collected\nkeyed ${nextSerial()},2026-11-20,keyed ${nextSerial()},10`,
})

/** A rule of the admin with an open alert. */
const newAlert = async (product: Product, admin: Session) =>
  insertAlert(
    product.deps.pool,
    await readId(product.app, admin, `/api/admin/users/?username=${firstAdmin.username}`),
    'keyed',
  )

const requests: Readonly<Record<string, RequestBuilder>> = {
  'alert-rules.create': async () => ({
    body: { name: `keyed ${nextSerial()}`, kind: 'silence', threshold: 60 },
  }),
  'alert-rules.update': async (product, admin) => ({
    id: (await newAlert(product, admin)).rule,
    body: { name: `keyed ${nextSerial()}` },
  }),
  'alert-rules.mute': async (product, admin) => ({
    id: (await newAlert(product, admin)).rule,
    body: { muted: true },
  }),
  'inbox.read': async (product, admin) => ({ body: { ids: [(await newAlert(product, admin)).incident] } }),
  'inbox.snooze': async (product, admin) => ({
    id: (await newAlert(product, admin)).incident,
    body: { until: 'hour' },
    differentBody: { until: 'week' },
  }),
  'auth.profile.update': async () => ({ body: { name: `Name ${nextSerial()}` } }),
  'users.activate': async (product, admin) => {
    const id = await newUser(product, admin)
    await callApi(product.app, admin, 'PUT', `/api/admin/users/${id}/deactivate`)
    return { id }
  },
  'users.deactivate': async (product, admin) => ({ id: await newUser(product, admin) }),
  'cpa-sources.rotate-postback-key': createOf('cpa-sources'),
  'source-credentials.close-gap': async (product, admin) => {
    const { id } = await createNamedSample('source-credentials', product, admin)
    const text = `insert into sync_states (source_credential_id, gap_from, gap_to)
      values ($1, now() - interval '9 days', now()) returning id`
    await query(product, text, [id])
    return { id }
  },
  'leads.state': async (product, admin) => {
    const statusId = await query(product, 'select id from statuses where is_active limit 1')
    return { body: { ids: [await newLead(product, admin)], status_id: statusId, comment: 'confirmed' } }
  },
  'leads.import': async (product, admin) => {
    const source = await createNamedSample('cpa-sources', product, admin)
    const content = `external_id,created_at,status,payout\nkeyed ${nextSerial()},2026-11-20,sold,10`
    return { file: { name: 'leads.csv', content }, fields: { source_id: String(source.id) } }
  },
  'postbacks.replay': async (product, admin) => {
    const source = await createNamedSample('cpa-sources', product, admin)
    const text = `insert into postbacks (source_id, method, params, outcome, reason)
      values ($1, 'GET', $2, 'refused', 'inactive_source') returning id`
    const params = JSON.stringify({ tid: `keyed ${nextSerial()}`, status: 'sold', payout: '1' })
    await product.deps.pool.query('update cpa_sources set is_active = true where id = $1', [source.id])
    return { id: await query(product, text, [source.id, params]) }
  },
  'parcels.note': async (product) => ({
    id: await query(product, parcelText, [`keyed ${nextSerial()}`]),
    body: { text: 'Called, will come tomorrow' },
  }),
  'parcels.import': async () => {
    const content = `orderno,date,status,event_time\nkeyed ${nextSerial()},2026-11-20,NEW,2026-11-20 10:00`
    return { file: { name: 'parcels.csv', content } }
  },
  'settlements.import': async (product, admin) => {
    const account = await createNamedSample('courier-accounts', product, admin)
    return { file: newActFile(), fields: { courier_account_id: String(account.id) } }
  },
  'settlements.void': async (product, admin) => {
    const account = await createNamedSample('courier-accounts', product, admin)
    const text = `insert into settlement_acts (courier_account_id, currency, number, act_date, content_hash)
      values ($1, 'UZS', $2, '2026-11-20', '') returning id`
    const id = await query(product, text, [account.id, `keyed ${nextSerial()}`])
    return { id, body: { reason: 'Another account' } }
  },
  'settlement-differences.update': async (product, admin) => {
    const account = await createNamedSample('courier-accounts', product, admin)
    const text = `insert into settlement_differences (courier_account_id, parcel_id, orderno, kind, difference)
      select $1, id, orderno, 'missing', -1 from parcels where id = $2 returning id`
    const parcel = await query(product, parcelText, [`keyed ${nextSerial()}`])
    const id = await query(product, text, [account.id, parcel])
    return { id, body: { note: 'Paid in cash', status: 'resolved' } }
  },
  'uploads.upload': async () => ({
    file: { name: `keyed ${nextSerial()}.pdf`, content: '%PDF-1.4\n%%EOF\n' },
    fields: { description: 'once' },
  }),
  'uploads.retry': async (product) => ({
    id: await query(
      product,
      `insert into uploads (user_id, name, extension, size, sha256, status)
       select id, 'a.pdf', 'pdf', 1, 'x', 'refused' from users where username = 'admin' returning id`,
    ),
  }),
  'outgoing-postbacks.retry': async (product, admin) => {
    const template = await createNamedSample('postback-templates', product, admin)
    const text = `insert into outgoing_postbacks (template_id, lead_id, source_status, payout, changed_at, status)
      values ($1, $2, 'what', 1, now(), 'refused') returning id`
    return { id: await query(product, text, [template.id, await newLead(product, admin)]) }
  },
  'source-credentials.run': createOf('source-credentials'),
  'courier-accounts.run': createOf('courier-accounts'),
  'courier-accounts.fetch-orders': async (product, admin) => ({
    ...(await createOf('courier-accounts')(product, admin)),
    body: { date_from: '2026-11-01', date_to: '2026-11-30' },
    differentBody: { date_from: '2026-11-02', date_to: '2026-11-30' },
  }),
  'notices.link': async (product) => {
    await product.deps.pool.query('delete from telegram_links')
    return { body: { current_password: firstAdmin.password } }
  },
  'notices.choose': async (product) => {
    await product.deps.pool.query('delete from telegram_links')
    return { body: { digest: true } }
  },
  'views.create': async () => ({
    body: { name: `keyed ${nextSerial()}`, address: '/leads?search=keyed' },
  }),
  'views.update': async (product) => ({
    id: await insertTestView(product.deps.pool, `keyed ${nextSerial()}`),
    body: { name: `keyed ${nextSerial()}` },
  }),
  'views.default': async (product) => ({
    id: await insertTestView(product.deps.pool, `keyed ${nextSerial()}`),
    body: { is_default: true },
  }),
  'views.send': async (product) => ({
    id: await insertScheduledTestView(product.deps.pool, `keyed ${nextSerial()}`),
    body: {},
  }),
  'ledger.adjust': async () => ({
    body: {
      reason: `keyed ${nextSerial()}`,
      account_id: 'paid-0-UZS',
      amount: 1,
    },
  }),
  'payout-terms.create': async () => ({
    body: {
      share: 50,
      valid_from: `2999-01-${String((nextSerial() % 28) + 1).padStart(2, '0')}`,
      earned_at: 'sold',
      hold_days: 0,
      minimum: 0,
    },
  }),
  'money.withdraw': async (product, admin) => {
    await newWithdrawal(product, admin, 'declined')
    return { body: { details: `keyed ${nextSerial()}`, currency: 'UZS', amount: 1 } }
  },
  'money.withdrawal.cancel': async (product, admin) => ({
    id: await newWithdrawal(product, admin, 'requested'),
  }),
  'statements.close': async (product, admin) => ({
    body: {
      user_id: await newUser(product, admin),
      currency: 'UZS',
      start_date: '2026-01-01',
      end_date: '2026-01-31',
    },
  }),
  'withdrawals.approve': async (product, admin) => ({ id: await newWithdrawal(product, admin, 'requested') }),
  'withdrawals.decline': async (product, admin) => ({
    id: await newWithdrawal(product, admin, 'requested'),
    body: { reason: 'Details are wrong' },
  }),
  'withdrawals.pay': async (product, admin) => ({
    id: await newWithdrawal(product, admin, 'approved'),
    body: { reference: 'PAY-1', paid_on: '2026-01-31' },
  }),
  'withdrawals.refuse': async (product, admin) => ({ id: await newSentWithdrawal(product, admin) }),
  'payment-registries.create': async (product, admin) => {
    await newApprovedWithdrawal(product, admin)
    return { body: { currency: 'UZS' }, differentBody: { currency: 'USD' } }
  },
  'notices.retry': async (product) => ({
    id: await query(
      product,
      `insert into notices (user_id, kind, once, text, status)
       select id, 'digest', $1, 'Yesterday', 'refused' from users where username = 'admin' returning id`,
      [`keyed ${nextSerial()}`],
    ),
  }),
}
