import type { Page } from '@karvon/contract/lib/page.ts'
import type { NetworkMoney } from '@karvon/contract/network-money/network-money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { hour, runStart } from '../../test/moment.ts'
import { createEmptyStore, openNetworks } from '../../test/networks.ts'

const open = () => openNetworks(['100k'])
let fixture: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  fixture = await open()
})
afterAll(() => fixture.close())

test('transactions and withdrawals are read from the network whose finance address a CPA credential has', async () => {
  const [network] = fixture.fakes
  network.store = createEmptyStore(1)
  network.store.addOrders(60, runStart - 200 * hour)
  network.store.settleOrders(runStart - 100 * hour)
  const { product, admin } = fixture
  // The built-in base address stays that of the real network, which a test cannot reach.
  const account = await fixture.createAccount('Moved', '100k', { limits: { page_delay_ms: 0 } })
  const put = (path: string, body: object) => callApi(product.app, admin, 'PUT', path, body)
  await put(`/api/admin/cpa-websites/${account.website}/`, {
    login_url: `${network.url}/auth/sign-in`,
    finance_url: `${network.url}/advertiser/profile`,
    orders_url: `${network.url}/advertiser/orders`,
    offers_url: `${network.url}/advertiser/products`,
    streams_url: `${network.url}/advertiser/streams`,
  })
  // Secrets are sent only to the hosts that the account had when they were typed.
  await put(`/api/admin/source-credentials/${account.credential}/`, { pass: 'sirli so‘z' })
  const run = await fixture.runSync(account)
  expect([run.status, run.error]).toEqual(['done', null])
  const hundredths = network.store
    .orders()
    .filter(({ status }) => status === 'delivered')
    .reduce((sum, { payout }) => sum + payout, 0)
  const answer = await callApi(
    product.app,
    admin,
    'GET',
    `/api/admin/network-money/?source_id=${account.source}`,
  )
  expect(answer.json<Page<NetworkMoney>>().items).toMatchObject([{ earned: hundredths / 100, difference: 0 }])
})
