import { afterEach, beforeEach, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { day, runStart } from '../../test/moment.ts'
import {
  buildFastMapping,
  createEmptyStore,
  descriptionWithFilter,
  listOrders,
  openNetworks,
  type TestNetworkAccount,
} from '../../test/networks.ts'

const open = () => openNetworks(['odd'])
let fixture: Awaited<ReturnType<typeof open>>
let account: TestNetworkAccount

beforeEach(async () => {
  fixture = await open()
  await fixture.create('/api/admin/connectors/', {
    code: 'odd',
    name: 'Odd',
    description: descriptionWithFilter,
  })
  account = await fixture.createAccount('First', 'odd', buildFastMapping(fixture.fakes[0]))
})
afterEach(() => fixture.close())

/** Gives the credential another source, whose orders are older and did not change lately. */
async function moveToOtherSource(): Promise<TestNetworkAccount> {
  const [network] = fixture.fakes
  network.store = createEmptyStore(7)
  network.store.addOrders(200, runStart - 90 * day)
  network.store.settleOrders(runStart - 80 * day)
  const source = await fixture.create('/api/admin/cpa-sources/', { name: 'Other', url: 'https://b.example' })
  await fixture.create('/api/admin/cpa-websites/', {
    name: 'Other',
    cpa_source_id: source,
    connector: 'odd',
    mapping: buildFastMapping(network),
  })
  const path = `/api/admin/source-credentials/${account.credential}`
  const answer = await callApi(fixture.product.app, fixture.admin, 'PUT', path, { source_id: source })
  expect(answer.statusCode, answer.body).toBe(200)
  return { ...account, source }
}

const listExpectedLeads = () => listOrders(fixture.fakes[0], (id, word) => `D-${id} ${word.toUpperCase()}`)

test('a credential that gets another source reads all orders there', async () => {
  for (let runs = 0; runs < 3; runs += 1)
    expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
  const moved = await moveToOtherSource()
  expect(await fixture.runSync(moved)).toMatchObject({ status: 'done' })
  expect(await fixture.listLeads(moved)).toEqual(listExpectedLeads())
})

test('a run after an interrupted one of another source begins at the first page', async () => {
  const [network] = fixture.fakes
  const stopping = new AbortController()
  const watch = setInterval(() => {
    if (network.requests.length >= 4) stopping.abort()
  }, 1)
  await fixture.runSync(account, false, stopping.signal)
  clearInterval(watch)
  const { rows } = await fixture.product.deps.pool.query(
    `select progress -> 'orders' ->> 'at' as page from sync_states`,
  )
  expect(rows).toEqual([{ page: expect.stringMatching(/^[1-9]/) }])
  const moved = await moveToOtherSource()
  expect(await fixture.runSync(moved)).toMatchObject({ status: 'done' })
  expect(await fixture.listLeads(moved)).toEqual(listExpectedLeads())
})
