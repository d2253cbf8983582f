import type { Page } from '@karvon/contract/lib/page.ts'
import type { NetworkMoney } from '@karvon/contract/network-money/network-money.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi } from '../../../test/app.ts'
import { hour, runStart } from '../../../test/moment.ts'
import {
  buildFastMapping,
  createEmptyStore,
  openNetworks,
  type TestNetworkAccount,
} from '../../../test/networks.ts'

const open = () => openNetworks(['100k', 'sotuvchi'])
let fixture: Awaited<ReturnType<typeof open>>
let account: TestNetworkAccount
let accounts = 0

beforeAll(async () => {
  fixture = await open()
})
afterAll(() => fixture.close())

/** Each test has an account whose balance was read. */
beforeEach(async () => {
  const [network] = fixture.fakes
  network.store = createEmptyStore(++accounts)
  network.store.addOrders(60, runStart - 200 * hour)
  network.store.settleOrders(runStart - 100 * hour)
  account = await fixture.createAccount(`Network ${accounts}`, '100k', buildFastMapping(network))
  await fixture.runSync(account)
  if (typeof (await readMoney())?.balance !== 'number') throw new Error('The balance was not read')
})

const call = (method: Parameters<typeof callApi>[2], url: string, body?: object) =>
  callApi(fixture.product.app, fixture.admin, method, url, body)

async function readMoney(): Promise<NetworkMoney | undefined> {
  const url = `/api/admin/network-money/?per_page=200`
  const { items } = (await call('GET', url)).json<Page<NetworkMoney>>()
  return items.find(({ id }) => id === account.credential)
}

const change = async (body: object) => {
  const answer = await call('PUT', `/api/admin/source-credentials/${account.credential}/`, body)
  expect(answer.statusCode, answer.body).toBe(200)
}

test('a credential that gets another source does not have the balance of the former one', async () => {
  const [, network] = fixture.fakes
  const other = await fixture.createAccount(
    `Network ${(accounts += 1)}`,
    'sotuvchi',
    buildFastMapping(network),
  )
  await change({ source_id: other.source, pass: 'sirli so‘z' })
  expect(await readMoney()).toMatchObject({
    balance: null,
    balance_missing: 'not_described',
    difference: null,
  })
  const report = await call('GET', `/api/admin/report/fin?source_id=${other.source}`)
  expect(report.json()).toMatchObject({ items: [{ network_balance: null, network_time: null }] })
})

test('a credential that gets another login has no balance until it is read again', async () => {
  await change({ login: 'malika@desk.uz', pass: 'sirli so‘z' })
  expect(await readMoney()).toMatchObject({ balance: null, balance_missing: 'not_read' })
})

test('a run with another login does not use the token of the former login', async () => {
  await change({ login: 'malika@desk.uz', pass: 'sirli so‘z' })
  const run = await fixture.runSync(account)
  expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('sign') })
  expect((await readMoney())?.balance).toBeNull()
})

test('a credential with another name keeps its balance', async () => {
  const { login } = (await call('GET', `/api/admin/source-credentials/${account.credential}/`)).json<{
    login: string
  }>()
  await change({ name: 'Another name', login, source_id: account.source })
  expect((await readMoney())?.balance).toBeGreaterThan(0)
})

test('a run does not store the balance of an account that changes before the network answers', async () => {
  const { pool } = fixture.product.deps
  const [network] = fixture.fakes
  await pool.query('update sync_states set balance = null, hold = null, money_at = null')
  const requestsBefore = network.requests.length
  // The network is slow, so the account changes while the run waits for the balance.
  network.faults = { slow: 200, chance: () => 0.999 }
  let changing: Promise<void> | undefined
  const watch = setInterval(() => {
    const isBalanceAwaited = network.requests
      .slice(requestsBefore)
      .some(({ path }) => path.endsWith('/profile'))
    if (isBalanceAwaited) changing ??= change({ login: 'malika@desk.uz', pass: 'sirli so‘z' })
  }, 1)
  try {
    await fixture.runSync(account)
  } finally {
    clearInterval(watch)
    network.faults = {}
  }
  await changing
  expect(changing).toBeDefined()
  expect((await readMoney())?.balance).toBeNull()
})

test('withdrawals that were read in another currency are not added to those of the present one', async () => {
  const [network] = fixture.fakes
  const delivered = network.store.orders().find(({ status }) => status === 'delivered')
  const amount = delivered?.payout ?? 0
  network.store.withdraw(amount, runStart - 50 * hour)
  await fixture.runSync(account)
  expect(await readMoney()).toMatchObject({ currency: 'UZS', paid_out: amount / 100 })
  const websites = await call('GET', `/api/admin/cpa-websites/?cpa_source_id=${account.source}`)
  const [{ id } = { id: 0 }] = websites.json<Page<{ id: number }>>().items
  const mapping = { ...buildFastMapping(network), money: { currency: 'USD' } }
  const answer = await call('PUT', `/api/admin/cpa-websites/${id}/`, { mapping })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await readMoney()).toMatchObject({ currency: 'USD', earned: 0, paid_out: 0 })
  await fixture.runSync(account, true)
  expect(await readMoney()).toMatchObject({ currency: 'USD', paid_out: amount / 100 })
})
