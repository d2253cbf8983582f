import { acceptsIdempotencyKey, type Call } from '@karvon/contract/lib/call.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { calls, resources } from '@karvon/contract/registry.ts'
import type { LightMyRequestResponse } from 'fastify'
import { ask, firstAdmin, type Product, type Signed } from './app.ts'
import { sendFile, type SentFile } from './files.ts'
import { createSample, sampleBody } from './sample.ts'
import { createUser, idOf } from './people.ts'

/** One request of a call, as often as it is wanted. */
export interface Request {
  id?: number
  body?: object
  file?: SentFile
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

/** Sends a request with a key. */
export function send(
  { app }: Product,
  as: Signed,
  [, method, call]: (typeof keyedCalls)[number],
  { id, body, file, fields }: Request,
  key: string,
): Promise<LightMyRequestResponse> {
  const url = call.path.replace(':id', String(id))
  const headers = { ...as.headers, 'idempotency-key': key }
  if (file !== undefined) return sendFile(app, as, url, file, fields, headers)
  return app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
}

/**
 * A request that changes something, made anew for a call. A call of a resource needs nothing here. Any other one
 * must be in this list: one that changes something and is not known here fails the test of all of them.
 */
export async function requestOf(product: Product, admin: Signed, call: Call): Promise<Request> {
  const { app } = product
  for (const of of resources) {
    const { create, update } = resourceCalls(of)
    if (call.id === create.id) return { body: await sampleBody(app, admin, of) }
    if (call.id !== update.id) continue
    const row = await createSample(app, admin, of)
    return { id: row.id, body: await sampleBody(app, admin, of) }
  }
  const make = requests[call.id]
  if (make === undefined)
    throw new Error(`${call.id} changes something: say in test/keyed-calls.ts how it is asked`)
  return make(product, admin)
}

let serial = 0
const next = () => (serial += 1)
type Make = (product: Product, admin: Signed) => Promise<Request>

const query = async ({ deps }: Product, text: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await deps.pool.query<{ id: number }>(text, values)
  return rows[0]?.id ?? 0
}

const sample = (name: string, product: Product, admin: Signed) => {
  const of = resources.find((each) => each.name === name)
  if (of === undefined) throw new Error(`No resource is called ${name}`)
  return createSample(product.app, admin, of)
}

const oneOf =
  (name: string): Make =>
  async (product, admin) => ({ id: (await sample(name, product, admin)).id })

async function newUser(product: Product, admin: Signed): Promise<number> {
  const name = `keyed${next()}`
  await createUser(product.app, admin, name)
  return idOf(product.app, admin, `/api/admin/users/?username=${name}`)
}

async function newLead(product: Product, admin: Signed): Promise<number> {
  const source = await sample('cpa-sources', product, admin)
  const text = `insert into leads (source_id, external_id, source_status, day, created_at, updated_at)
    values ($1, $2, 'what', current_date, now(), now()) returning id`
  return query(product, text, [source.id, `keyed ${next()}`])
}

const parcelText = `insert into parcels (orderno, day, status_code, status_raw, status_title, eventtime)
  values ($1, current_date, 'PENDING', 'NEW', 'New', now()) returning id`

const requests: Readonly<Record<string, Make>> = {
  'auth.profile.update': async () => ({ body: { name: `Name ${next()}` } }),
  'users.activate': async (product, admin) => {
    const id = await newUser(product, admin)
    await ask(product.app, admin, 'PUT', `/api/admin/users/${id}/deactivate`)
    return { id }
  },
  'users.deactivate': async (product, admin) => ({ id: await newUser(product, admin) }),
  'cpa-sources.rotate-postback-key': oneOf('cpa-sources'),
  'source-credentials.close-gap': async (product, admin) => {
    const { id } = await sample('source-credentials', product, admin)
    const text = `insert into sync_states (source_credential_id, gap_from, gap_to)
      values ($1, now() - interval '9 days', now()) returning id`
    await query(product, text, [id])
    return { id }
  },
  'leads.state': async (product, admin) => {
    const status = await sample('statuses', product, admin)
    return { body: { ids: [await newLead(product, admin)], status_id: status.id, comment: 'said so' } }
  },
  'leads.import': async (product, admin) => {
    const source = await sample('cpa-sources', product, admin)
    const content = `external_id,created_at,status,payout\nkeyed ${next()},2026-11-20,sold,10`
    return { file: { name: 'leads.csv', content }, fields: { source_id: String(source.id) } }
  },
  'postbacks.replay': async (product, admin) => {
    const source = await sample('cpa-sources', product, admin)
    const text = `insert into postbacks (source_id, method, params, outcome, reason)
      values ($1, 'GET', $2, 'refused', 'inactive_source') returning id`
    const params = JSON.stringify({ tid: `keyed ${next()}`, status: 'sold', payout: '1' })
    await product.deps.pool.query('update cpa_sources set is_active = true where id = $1', [source.id])
    return { id: await query(product, text, [source.id, params]) }
  },
  'parcels.note': async (product) => ({
    id: await query(product, parcelText, [`keyed ${next()}`]),
    body: { text: 'Called, will come tomorrow' },
  }),
  'parcels.import': async () => {
    const content = `orderno,date,status,event_time\nkeyed ${next()},2026-11-20,NEW,2026-11-20 10:00`
    return { file: { name: 'parcels.csv', content } }
  },
  'uploads.upload': async () => ({
    file: { name: `keyed ${next()}.pdf`, content: '%PDF-1.4\n%%EOF\n' },
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
    const template = await sample('postback-templates', product, admin)
    const text = `insert into outgoing_postbacks (template_id, lead_id, source_status, payout, changed_at, status)
      values ($1, $2, 'what', 1, now(), 'refused') returning id`
    return { id: await query(product, text, [template.id, await newLead(product, admin)]) }
  },
  'source-credentials.run': oneOf('source-credentials'),
  'courier-accounts.run': oneOf('courier-accounts'),
  'notices.link': async (product) => {
    await product.deps.pool.query('delete from telegram_links')
    return { body: { current_password: firstAdmin.password } }
  },
  'notices.choose': async (product) => {
    await product.deps.pool.query('delete from telegram_links')
    return { body: { digest: true } }
  },
  'notices.retry': async (product) => ({
    id: await query(
      product,
      `insert into notices (user_id, kind, once, text, status)
       select id, 'digest', $1, 'Yesterday', 'refused' from users where username = 'admin' returning id`,
      [`keyed ${next()}`],
    ),
  }),
}
