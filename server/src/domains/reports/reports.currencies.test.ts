import { exploreCall } from '@karvon/contract/explore/explore.ts'
import { reportCalls } from '@karvon/contract/reports/reports.ts'
import { maxPayoutCurrencies } from '@karvon/contract/lib/limits.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { createRow, createUser, readId, readOwnId } from '../../../test/people.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'

const { app, deps, close } = await createTestApp()
const admin = await signInAdmin(app)
const kinds = ['sources', 'fin', 'stats', 'daily', 'offers', 'streams']
let number = 0
let first: number
let second: number
let buyer: Session
let buyerId: number

beforeEach(async () => {
  number += 1
  await deps.pool.query(
    'truncate lead_currencies, lead_history, leads, lead_deltas, source_totals, offer_totals, stream_totals, buyer_days cascade',
  )
  first = await create('cpa-sources', { name: `First ${number}`, url: 'https://one.example' })
  second = await create('cpa-sources', { name: `Second ${number}`, url: 'https://two.example' })
  const role = await create('roles', { name: `Buyer ${number}`, code: `buyer${number}`, source_ids: [first] })
  buyer = await createUser(app, admin, `buyer${number}`, role)
  buyerId = await readOwnId(app, buyer)
})
afterAll(close)

const create = (resource: string, body: Record<string, unknown>) =>
  createRow(app, admin, `/api/admin/${resource}/`, body)

async function importLeads(source: number, rows: readonly string[]): Promise<void> {
  const content = ['external_id,created_at,updated_at,status,payout,currency,stream', ...rows].join('\n')
  const file = { name: 'leads.csv', content }
  const answer = await sendFile(app, admin, '/api/admin/leads/import/', file, { source_id: String(source) })
  expect(answer.json(), answer.body).toMatchObject({ skipped: 0 })
}

const findStream = (name: string) =>
  readId(app, admin, `/api/admin/streams/?name=${encodeURIComponent(name)}`)

async function give(id: number, userId: number): Promise<void> {
  const answer = await callApi(app, admin, 'PUT', `/api/admin/streams/${id}`, { user_id: userId })
  expect(answer.statusCode, answer.body).toBe(200)
}

async function read(as: Session, path: string): Promise<string[]> {
  const answer = await callApi(app, as, 'GET', path)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ meta: { currencies: string[] } }>().meta.currencies
}
const explore = (as: Session, scope: 'admin' | 'user', query = '') =>
  read(as, `/api/${scope}/explore?${query}`)

/** The currencies of every report and of Explore, which must be the same. */
async function currencies(as: Session, scope: 'admin' | 'user', source?: number): Promise<string[]> {
  const filter = source === undefined ? '' : `source_id=${source}`
  const answers = await Promise.all([
    ...kinds
      .filter((kind) => kind !== 'sources' || source === undefined)
      .map((kind) => read(as, `/api/${scope}/report/${kind}?${filter}`)),
    explore(as, scope, filter.replace('source_id', 'source')),
  ])
  for (const answer of answers) expect(answer).toEqual(answers[0])
  return answers[0] ?? []
}

test('the test of currencies covers every kind of report of the contract', () => {
  expect(reportCalls.map(({ path }) => path).toSorted()).toEqual(
    ['admin', 'user'].flatMap((scope) => kinds.map((kind) => `/api/${scope}/report/${kind}`)).toSorted(),
  )
  expect(exploreCall('user').path).toBe('/api/user/explore')
})

test('leads of one currency give one code, and an import and a postback in another currency add its code', async () => {
  expect(await currencies(admin, 'admin')).toEqual([])
  await importLeads(first, ['a,2026-11-01,,sold,10,UZS,', 'b,2026-11-02,,hold,5,UZS,'])
  expect(await currencies(admin, 'admin')).toEqual(['UZS'])
  await importLeads(second, ['a,2026-11-01,,sold,1,USD,'])
  expect(await currencies(admin, 'admin')).toEqual(['USD', 'UZS'])
  const source = await callApi(app, admin, 'GET', `/api/admin/cpa-sources/${first}`)
  const { postback_key: key } = source.json<{ postback_key: string }>()
  const postback = await app.inject({
    method: 'GET',
    url: `/api/postback/${key}?tid=c&status=sold&payout=1&currency=EUR`,
  })
  expect(postback.json(), postback.body).toMatchObject({ outcome: 'created' })
  expect(await currencies(admin, 'admin')).toEqual(['EUR', 'USD', 'UZS'])
  expect(await currencies(admin, 'admin', first)).toEqual(['EUR', 'UZS'])
  expect(await currencies(admin, 'admin', second)).toEqual(['USD'])
})

test('a later state of a lead in another currency adds it, a repeat adds no row', async () => {
  await importLeads(first, ['a,2026-11-01,2026-11-01,hold,10,UZS,', 'b,2026-11-01,2026-11-01,hold,10,UZS,'])
  const later = ['a,2026-11-01,2026-11-02,sold,1,USD,', 'b,2026-11-01,2026-11-02,sold,1,USD,']
  await importLeads(first, later)
  await importLeads(first, later)
  expect(await currencies(admin, 'admin')).toEqual(['USD', 'UZS'])
  const { rows } = await deps.pool.query(
    'select currency, source_id, stream_id from lead_currencies order by 1',
  )
  expect(rows).toEqual([
    { currency: 'USD', source_id: first, stream_id: 0 },
    { currency: 'UZS', source_id: first, stream_id: 0 },
  ])
})

test('a person sees the currencies of own streams at the sources of the role, also after a change of the owner', async () => {
  await importLeads(first, [
    `a,2026-11-01,,sold,10,UZS,Own ${number}`,
    `b,2026-11-01,,sold,1,USD,Foreign ${number}`,
    'c,2026-11-01,,sold,1,EUR,',
  ])
  await importLeads(second, [`a,2026-11-01,,sold,1,KZT,Hidden ${number}`])
  const [own, foreign] = [await findStream(`Own ${number}`), await findStream(`Foreign ${number}`)]
  await give(own, buyerId)
  await give(await findStream(`Hidden ${number}`), buyerId)
  expect(await currencies(buyer, 'user')).toEqual(['UZS'])
  expect(await currencies(buyer, 'user', second)).toEqual([])
  expect(await explore(buyer, 'user', `stream=${foreign}`)).toEqual([])
  expect(await currencies(admin, 'user')).toEqual([])
  expect(await explore(admin, 'admin', `stream=${own},${foreign}`)).toEqual(['USD', 'UZS'])
  expect(await explore(admin, 'admin', `stream=0`)).toEqual(['EUR'])
  expect(await explore(admin, 'admin', `buyer=${buyerId}`)).toEqual(['KZT', 'UZS'])
  expect(await explore(admin, 'admin', `buyer=0&source=${first}`)).toEqual(['EUR', 'USD'])

  const adminId = await readOwnId(app, admin)
  await give(own, adminId)
  await give(foreign, buyerId)
  expect(await currencies(buyer, 'user')).toEqual(['USD'])
})

test('batches that bring a new currency at the same time all succeed, and it is named once', async () => {
  const batches = Array.from({ length: 8 }, (_, batch) =>
    ingestLeads(deps.db, {
      sourceId: first,
      leads: Array.from({ length: 50 }, (__, i) =>
        buildLead(`lead ${batch % 2} ${i}`, {
          currency: ['USD', 'UZS', 'EUR'][(batch + i) % 3] ?? '',
          updated_at: `2026-11-2${batch}T10:00:00Z`,
        }),
      ),
      origin: 'connector',
    }),
  )
  await Promise.all(batches)
  expect(await currencies(admin, 'admin')).toEqual(['EUR', 'USD', 'UZS'])
})

test('an answer names a limited number of currencies', async () => {
  const leads = Array.from({ length: maxPayoutCurrencies + 5 }, (_, i) =>
    buildLead(`lead ${i}`, { currency: `AA${String.fromCodePoint(65 + i)}` }),
  )
  await ingestLeads(deps.db, { sourceId: first, leads, origin: 'file' })
  const codes = await currencies(admin, 'admin')
  expect(codes).toEqual(leads.slice(0, maxPayoutCurrencies).map(({ currency }) => currency))
})

test('a file of a report has no currencies', async () => {
  await importLeads(first, ['a,2026-11-01,,sold,10,UZS,'])
  const answer = await callApi(app, admin, 'GET', '/api/admin/report/daily?format=csv')
  expect(answer.body).toContain('2026-11-01')
  expect(answer.body).not.toContain('UZS')
})
