import type { Page } from '@karvon/contract/lib/page.ts'
import type { PayoutTerms } from '@karvon/contract/payouts/payout-terms.ts'
import type { PaymentRegistry } from '@karvon/contract/payouts/payment-registries.ts'
import type { Balance, Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import type { Statement } from '@karvon/contract/payouts/statements.ts'
import type { SettlementDifference } from '@karvon/contract/settlements/differences.ts'
import type { SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import { listActsAt, listParcelsAt } from '@karvon/testkit/fakes/measoft.clock.ts'
import { startMeasoft, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signIn, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { runCourierSyncs } from '../../test/jobs.ts'
import { day, hour, now } from '../../test/moment.ts'
import { readId } from '../../test/people.ts'
import { checkInstallation } from '../app/check.ts'
import { openDemo } from '../app/demo.ts'
import { settlementDifferencesJob } from '../domains/settlements/settlements.job.ts'
import type { SignIn } from './demo.references.ts'

let courier: FakeMeasoft
let product: Product
let admin: Session
let signIns: SignIn[]

beforeAll(async () => {
  courier = await startMeasoft({ extra: 'demo', login: 'aziz@example.uz', pass: 'demo' })
  product = await createTestApp({ KARVON_OUTBOUND_ALLOW: new URL(courier.url).host })
  const { deps } = product
  const config = { ...deps.config, demo: true, demoNetworks: '127.0.0.1:41001' }
  ;({ signIns } = await openDemo({ ...deps, config }))
  admin = await signInAdmin(product.app)
})
afterAll(async () => {
  await product.close()
  await courier.close()
})

async function get<T>(url: string, as = admin): Promise<T> {
  const answer = await callApi(product.app, as, 'GET', url)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<T>()
}
const list = async <Row>(url: string, as = admin) => (await get<Page<Row>>(url, as)).items

async function signInAs(username: string): Promise<Session> {
  const demoSignIn = signIns.find((entry) => entry.username === username)
  return signIn(product.app, username, demoSignIn?.password ?? '')
}

const kinds = async () =>
  (await list<SettlementDifference>('/api/admin/settlement-differences/?status=open'))
    .map(({ kind }) => kind)
    .toSorted()
const runJob = () => settlementDifferencesJob(product.deps).run(new AbortController().signal)

test("the demo's acts come each week, and three differences of three kinds are in the last two", async () => {
  const acts = await list<SettlementAct>('/api/admin/settlements/?per_page=100')
  expect(acts.length).toBeGreaterThan(4)
  const days = acts.map(({ act_date }) => Date.parse(act_date) / day)
  expect(days.slice(1).map((dayNumber, i) => (days[i] ?? 0) - dayNumber)).toEqual(days.slice(1).map(() => 7))
  expect(acts.map(({ paid_at }) => paid_at !== null)).toEqual(acts.map((_, i) => i > 0))
  expect(acts.map(({ differences }) => differences)).toEqual(
    acts.map((_, i) => (i === 0 ? 2 : Number(i === 1))),
  )
  await runJob()
  expect(await kinds()).toEqual(['amount', 'fee', 'unknown_order'])
})

test('the demo has two open withdrawals, decided withdrawals of each kind, and no negative balance of a person', async () => {
  const withdrawals = await list<Withdrawal>('/api/admin/withdrawals/')
  const count = (status: string) => withdrawals.filter((withdrawal) => withdrawal.status === status).length
  expect([count('requested'), count('declined')]).toEqual([2, 1])
  expect(count('paid')).toBeGreaterThan(3)
  for (const { username } of signIns) {
    const person = await signInAs(username)
    const { available, paid, on_hold } = await get<Balance>('/api/user/balance', person)
    expect([available >= 0, paid > 0, on_hold > 0], username).toEqual([true, true, true])
  }
  const { rows } = await product.deps.pool.query(`
    select 1 from (select cause_type, sum(-amount) over (partition by ref_id order by created_at, id) as owed
      from ledger_entries where account_kind = 'person') e
    where cause_type = 'withdrawal' and owed < 0`)
  expect(rows).toEqual([])
  for (const { id } of withdrawals.filter(({ status }) => status === 'requested'))
    expect(
      (await callApi(product.app, admin, 'POST', `/api/admin/withdrawals/${id}/approve/`)).statusCode,
    ).toBe(200)
})

test('the demo has a payment registry of which one withdrawal is paid and the others wait for the bank', async () => {
  const registries = await list<PaymentRegistry>('/api/admin/payment-registries/')
  expect(registries).toMatchObject([{ payments: 3, sent: 2, paid: 1, refused: 0 }])
  const [{ id, created_at } = { id: 0, created_at: '' }] = registries
  const withdrawals = await list<Withdrawal>(`/api/admin/withdrawals/?registry_id=${id}`)
  expect(withdrawals.map(({ status }) => status).toSorted()).toEqual(['paid', 'sent', 'sent'])
  for (const { status, requested_at, decided_at } of withdrawals) {
    expect(Date.parse(requested_at)).toBeLessThan(Date.parse(created_at))
    expect(Date.parse(decided_at ?? '') > Date.parse(created_at)).toBe(status === 'paid')
  }
  const answer = await callApi(
    product.app,
    admin,
    'GET',
    `/api/admin/payment-registries/${id}/payments/?format=csv`,
  )
  expect(answer.body.trimEnd().split('\r\n')).toHaveLength(4)
})

test('the demo has payout terms for everybody, for a person and for an offer, with earlier and later days', async () => {
  const terms = await list<PayoutTerms>('/api/admin/payout-terms/')
  const scopes = terms.map(({ user, offer }) => user?.name ?? offer?.name ?? 'everybody')
  expect(new Set(scopes)).toEqual(new Set(['everybody', "Malika To'xtayeva", 'Smart soat X9']))
  expect(scopes.filter((scope) => scope === 'everybody')).toHaveLength(3)
  expect(terms.filter(({ valid_from }) => Date.parse(valid_from) > now())).toHaveLength(1)
})

test("the demo's entries have the days of their causes, so that a closed month has figures", async () => {
  const statements = await list<Statement>('/api/admin/statements/')
  expect(statements).toHaveLength(3)
  for (const { earned, entries, closing } of statements) {
    expect(earned).toBeGreaterThan(0)
    expect(entries).toBeGreaterThan(0)
    expect(closing).toBeGreaterThanOrEqual(0)
  }
  const { rows } = await product.deps.pool.query<{ days: number; late: number; reversals: number }>(`
    select count(distinct created_at::date)::int as days, count(*) filter (where created_at > now())::int as late,
      count(*) filter (where cause_type = 'lead' and account_kind = 'person' and amount > 0)::int as reversals
    from ledger_entries`)
  expect(rows[0]?.days).toBeGreaterThan(40)
  expect(rows[0]?.late).toBe(0)
  expect(rows[0]?.reversals).toBeGreaterThan(3)
  const triggers = await product.deps.pool.query(`select 1 from pg_trigger where tgname like 'demo%'`)
  expect(triggers.rows).toEqual([])
})

test("the acts that the demo's courier issues later agree with its parcels and the tariff", async () => {
  const { deps } = product
  const openTime = now() - 9 * hour
  for (const parcel of listParcelsAt(now(), openTime)) courier.publish(parcel)
  courier.acts = new Map(listActsAt(now(), openTime).map((act) => [act.code, act]))
  expect(courier.acts.size).toBeGreaterThan(2)
  await deps.pool.query('update courier_accounts set url = $1', [courier.url])
  const before = await list<SettlementAct>('/api/admin/settlements/?per_page=100')
  const account = await readId(product.app, admin, '/api/admin/courier-accounts/')
  await callApi(product.app, admin, 'POST', `/api/admin/courier-accounts/${account}/run/`)
  await runCourierSyncs(deps)
  const acts = await list<SettlementAct>('/api/admin/settlements/?per_page=100')
  expect(acts.length - before.length).toBe(courier.acts.size)
  await runJob()
  expect(await kinds()).toEqual(['amount', 'fee', 'unknown_order'])
})

test('"karvon check" finds nothing in the demo', async () => {
  const { deps, databaseUrl: url } = product
  const { lines, faults } = await checkInstallation({
    url,
    timeZone: deps.config.timeZone,
    files: deps.files,
    encryption: deps.encryption,
  })
  expect(faults, lines.join('\n')).toBe(0)
})
