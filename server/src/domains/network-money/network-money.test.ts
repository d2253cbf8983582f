import type { LedgerAccount } from '@karvon/contract/ledger/ledger.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { NetworkDifference, NetworkMoney } from '@karvon/contract/network-money/network-money.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi } from '../../../test/app.ts'
import { readCsv } from '../../../test/exports.ts'
import { listLedgerDifferences } from '../../../test/ledger-differences.ts'
import { hour, runStart } from '../../../test/moment.ts'
import {
  buildFastMapping,
  createEmptyStore,
  openNetworks,
  type TestNetworkAccount,
} from '../../../test/networks.ts'

const open = () => openNetworks(['100k'])
let fixture: Awaited<ReturnType<typeof open>>
let account: TestNetworkAccount
let accounts = 0

beforeAll(async () => {
  fixture = await open()
})
afterAll(() => fixture.close())

/** Each test has a network and an account of its own: 60 orders, of which many are delivered. */
beforeEach(async () => {
  const [network] = fixture.fakes
  const store = createEmptyStore(++accounts)
  store.addOrders(60, runStart - 200 * hour)
  store.settleOrders(runStart - 100 * hour)
  network.store = store
  account = await fixture.createAccount(`Network ${accounts}`, '100k', buildFastMapping(network))
})

afterEach(expectConsistentMoney)

/** The ledger equals its causes, and the lines sum to the difference. */
async function expectConsistentMoney(): Promise<void> {
  expect(await listLedgerDifferences(fixture.product.deps.pool)).toEqual([])
  const lines = await listLines()
  const sum = lines.reduce((total, { difference }) => total + Math.round(difference * 100), 0)
  expect(sum).toBe(Math.round(((await readMoney()).difference ?? 0) * 100))
}

const call = (method: Parameters<typeof callApi>[2], url: string, body?: object) =>
  callApi(fixture.product.app, fixture.admin, method, url, body)
const get = async <Row>(url: string): Promise<Row[]> => (await call('GET', url)).json<Page<Row>>().items

async function readMoney(): Promise<NetworkMoney> {
  const [row] = await get<NetworkMoney>(`/api/admin/network-money/?source_id=${account.source}`)
  if (row === undefined) throw new Error('The account is not listed')
  return row
}

const linesUrl = () => `/api/admin/network-money/${account.credential}/differences/`
const listLines = () => get<NetworkDifference>(`${linesUrl()}?per_page=200`)

async function sync(full = false) {
  const run = await fixture.runSync(account, full)
  expect([run.status, run.error]).toEqual(['done', null])
  return run.counts
}

const store = () => fixture.fakes[0].store
const listDelivered = () =>
  store()
    .orders()
    .filter(({ status }) => status === 'delivered')
const sumPayouts = () => listDelivered().reduce((sum, { payout }) => sum + payout, 0) / 100
function pickDelivered(at: number) {
  const order = listDelivered()[at]
  if (order === undefined) throw new Error('Too few orders are delivered')
  return order
}

test('earned minus paid out and on hold is the balance of the network, without any line', async () => {
  const paidAmount = pickDelivered(0).payout
  store().withdraw(paidAmount, runStart - 50 * hour)
  store().heldSince = runStart - 200 * hour
  await sync()
  const { balance, hold } = store().balance()
  expect(await readMoney()).toMatchObject({
    id: account.credential,
    source: { id: account.source, name: `Network ${accounts}` },
    user: { name: 'aziz' },
    currency: 'UZS',
    earned: sumPayouts(),
    paid_out: paidAmount / 100,
    on_hold: hold / 100,
    expected: balance / 100,
    balance: balance / 100,
    difference: 0,
  })
  expect(hold).toBeGreaterThan(0)
  expect(await listLines()).toEqual([])
  const ledger = `/api/admin/ledger/accounts/?kind=network&ref_id=${account.source}`
  expect(await get<LedgerAccount>(ledger)).toMatchObject([
    { currency: 'UZS', balance: (balance + hold) / 100 },
  ])
})

test('a lead in another currency than that of the network does not count as earned', async () => {
  await sync()
  const { id, payout } = pickDelivered(0)
  const update = `update leads set currency = 'USD' where source_id = $1 and external_id = $2`
  await fixture.product.deps.pool.query(update, [account.source, String(id)])
  const difference = payout / 100
  expect(await readMoney()).toMatchObject({ earned: sumPayouts() - difference, difference })
  expect(await listLines()).toMatchObject([{ kind: 'payout_differs', actual: difference, expected: 0 }])
})

test('a network account without a balance says why', async () => {
  expect((await readMoney()).balance_missing).toBe('not_read')
  const mapping = buildFastMapping(fixture.fakes[0])
  account = await fixture.createAccount(`Network ${(accounts += 1)}`, 'sotuvchi', mapping)
  expect((await readMoney()).balance_missing).toBe('not_described')
})

test('a network’s hold of open orders is not subtracted from the expected balance', async () => {
  store().heldSince = runStart - 200 * hour
  const url = `/api/admin/cpa-websites/${account.website}/`
  const mapping = { ...buildFastMapping(fixture.fakes[0]), finance: { hold_of: 'open' } }
  await call('PUT', url, { mapping })
  await sync()
  expect(await readMoney()).toMatchObject({ on_hold: 0, expected: sumPayouts() })
})

test('each kind of difference is a line, and a repeated reading changes no row', async () => {
  const at = runStart - 50 * hour
  await sync()
  const knownStore = store()
  const [returnedOrder, correctedOrder] = [pickDelivered(0), pickDelivered(1)]
  const entry = { type: 'credit', targetType: 'order' as const, comment: '', at }
  knownStore.addTransaction({ ...entry, target: returnedOrder.id, amount: -returnedOrder.payout })
  knownStore.addTransaction({ ...entry, target: correctedOrder.id, amount: -500 })
  knownStore.addTransaction({ ...entry, target: 999_999, amount: 1200 })
  knownStore.addTransaction({ ...entry, targetType: null, target: null, amount: -700, comment: 'Penalty' })
  const hiddenWithdrawal = knownStore.withdraw(1500, at, 'hidden')
  const unpaidWithdrawal = knownStore.withdraw(1600, at, 'pending')
  const counts = await sync()
  expect(counts).toMatchObject({ transactions: 6, withdrawals: 1 })
  const expected = [
    {
      kind: 'status_differs',
      external_id: String(returnedOrder.id),
      status: 'delivered',
      actual: 0,
      expected: returnedOrder.payout / 100,
    },
    { kind: 'payout_differs', external_id: String(correctedOrder.id), difference: -5 },
    { kind: 'unknown_lead', external_id: '999999', lead_id: null, actual: 12, expected: 0, difference: 12 },
    { kind: 'other_transaction', external_id: expect.any(String), comment: 'Penalty', difference: -7 },
    { kind: 'withdrawal_not_listed', external_id: String(hiddenWithdrawal), status: null, difference: -15 },
    { kind: 'withdrawal_unpaid', external_id: String(unpaidWithdrawal), status: 'pending', difference: -16 },
  ]
  const lines = await listLines()
  expect(lines).toHaveLength(expected.length)
  for (const line of expected) expect(lines).toContainEqual(expect.objectContaining(line))
  expect(lines.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])

  for (const full of [false, true])
    expect(await sync(full)).toMatchObject({ transactions: 0, withdrawals: 0 })
  expect(await listLines()).toEqual(lines)
  const filteredLines = await get<NetworkDifference>(`${linesUrl()}?kind=unknown_lead`)
  expect(filteredLines.map(({ external_id }) => external_id)).toEqual(['999999'])
  const csv = await readCsv(fixture.product.app, fixture.admin, linesUrl())
  expect(csv.rows).toHaveLength(lines.length)
})

test('a lead that the network does not count, and a lead of another person, are lines', async () => {
  await sync()
  const uncountedOrder = pickDelivered(0)
  const { pool } = fixture.product.deps
  const deleteText = `delete from network_transactions where source_credential_id = $1 and target_id = $2`
  await pool.query(deleteText, [account.credential, String(uncountedOrder.id)])
  const lines = await listLines()
  const [external_id, expected] = [String(uncountedOrder.id), uncountedOrder.payout / 100]
  expect(lines).toMatchObject([
    { kind: 'lead_not_counted', external_id, actual: 0, expected, difference: -expected },
    { kind: 'unexplained', difference: expected },
  ])
  const order = pickDelivered(1)
  const ids = [account.source, String(order.id)]
  await pool.query(`update leads set stream_id = null where source_id = $1 and external_id = $2`, ids)
  expect(await listLines()).toContainEqual(
    expect.objectContaining({ kind: 'other_person', external_id: String(order.id), expected: 0 }),
  )
})

test("a network's hold explains leads that it credits only when the hold ends", async () => {
  await sync()
  const heldOrder = pickDelivered(0)
  const { pool } = fixture.product.deps
  const deleteText = `delete from network_transactions where source_credential_id = $1 and target_id = $2`
  await pool.query(deleteText, [account.credential, String(heldOrder.id)])
  const hold = heldOrder.payout / 100
  const update = `update sync_states set balance = balance - $2, hold = $2 where source_credential_id = $1`
  await pool.query(update, [account.credential, hold])
  expect(await readMoney()).toMatchObject({ on_hold: hold, difference: 0 })
  expect(await listLines()).toMatchObject([
    { kind: 'lead_not_counted', difference: -hold },
    { kind: 'on_hold', difference: hold },
  ])
})

test('a withdrawal is posted when it is paid, by its difference when it changes, and its account is masked', async () => {
  const readPosted = async () =>
    (
      await fixture.product.deps.pool.query<{ account_kind: string; amount: number }>(
        `select account_kind, sum(amount) as amount from ledger_entries
         where cause_type = 'network_transaction' and cause_id in
           (select id from network_transactions where source_credential_id = $1)
         group by 1 order by 1`,
        [account.credential],
      )
    ).rows
  const id = store().withdraw(2550, runStart - 30 * hour, 'pending')
  await sync()
  expect(await readPosted()).toEqual([])
  store().setWithdrawalStatus(id, 'paid', runStart - 20 * hour)
  await sync()
  const paidEntries = [
    { account_kind: 'network', amount: -25.5 },
    { account_kind: 'paid', amount: 25.5 },
  ]
  expect(await readPosted()).toEqual(paidEntries)
  await sync(true)
  expect(await readPosted()).toEqual(paidEntries)
  store().setWithdrawalStatus(id, 'declined', runStart - 10 * hour)
  await sync()
  expect((await readPosted()).map(({ amount }) => amount)).toEqual([0, 0])
  expect(await readMoney()).toMatchObject({ paid_out: 0, difference: 0 })
  const { rows } = await fixture.product.deps.pool.query('select account, comment from network_transactions')
  const text = JSON.stringify(rows)
  expect(text).toContain('•••• 9012')
  expect(text).not.toMatch(/8600|1234/)
})

test('a scan that was cut off in the middle is followed by one that reads every row', async () => {
  await sync()
  const { pool } = fixture.product.deps
  for (let n = 1; n <= 60; n += 1)
    store().addTransaction({
      amount: n,
      type: 'credit',
      targetType: null,
      target: null,
      comment: '',
      at: runStart - 5 * hour,
    })
  const stopping = new AbortController()
  const [network] = fixture.fakes
  const before = network.requests.length
  const watch = setInterval(() => {
    const pages = network.requests.slice(before).filter(({ path }) => path.endsWith('/transactions'))
    if (pages.length > 0) stopping.abort()
  }, 1)
  await fixture.runSync(account, false, stopping.signal)
  clearInterval(watch)
  await pool.query(`update sync_states set next_run_at = now(), leased_until = null`)
  await sync()
  const { rows } = await pool.query<{ n: number }>(
    `select count(*) as n from network_transactions where source_credential_id = $1 and kind = 'transaction'`,
    [account.credential],
  )
  expect(rows[0]?.n).toBe(store().transactions().length)
})

test('an account with money cannot be deleted, because its withdrawals are causes in the ledger', async () => {
  store().withdraw(2550, runStart - 30 * hour)
  await sync()
  const url = `/api/admin/source-credentials/${account.credential}`
  const answer = await call('DELETE', url)
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'in_use' }])
})

test('a credit of a network for a lead that is not sold here is a line', async () => {
  const orders = store().orders()
  const rejectedOrder = orders.find(({ status }) => ['cancelled', 'trash'].includes(status))
  const entry = { type: 'credit', targetType: 'order' as const, comment: '', at: runStart - 50 * hour }
  store().addTransaction({ ...entry, target: rejectedOrder?.id ?? 0, amount: 4400 })
  await sync()
  const { id, status } = rejectedOrder ?? {}
  expect(await listLines()).toMatchObject([
    { kind: 'status_differs', external_id: String(id), status, actual: 44, expected: 0 },
  ])
})

test('an unknown network account has no lines', async () => {
  const answer = await call('GET', '/api/admin/network-money/999999/differences/')
  expect(answer.statusCode).toBe(404)
})
