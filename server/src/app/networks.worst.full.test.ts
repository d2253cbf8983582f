import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSyncs } from '../../test/jobs.ts'
import { now, day, hour, minute } from '../../test/moment.ts'
import { listOrders, createRandom, openNetworks, buildFastMapping } from '../../test/networks.ts'
import { OutgoingError } from '../platform/outgoing-http/outgoing.error.ts'
import { syncKinds } from './syncs.ts'

const open = () => openNetworks(['100k'])
let fixture: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  fixture = await open()
})

afterAll(() => fixture.close())

test('a faulty network loses no lead, duplicates none, and its limits are kept', async () => {
  const [network] = fixture.fakes
  const chance = createRandom(99)
  const networkAccount = await fixture.createAccount('Worst', '100k', buildFastMapping(network))
  network.faults = {
    slow: 20,
    rate_limited: 0.05,
    retryAfter: 7,
    broken: 0.05,
    garbage: 0.04,
    truncated: 0.05,
    drop: 0.05,
    repeat_rows: 0.1,
    forget_token: 0.05,
    chance,
  }
  const { store } = network
  for (let round = 0; round < 15; round++) {
    store.addOrders(8, now() - hour + round * minute)
    store.advanceOrders(60, now())
    await fixture.runSync(networkAccount)
    await endWait()
  }
  network.faults = {}
  for (let i = 0; i < 3; i++) await fixture.runSync(networkAccount)
  expect(await fixture.listLeads(networkAccount)).toEqual(listOrders(network))
  // A 429 ends the run. No request follows until the wait ends.
  const waits = network.requests.filter(({ status }) => status === 429).length
  expect(waits).toBeGreaterThan(0)
  const runs = await fixture.runs(networkAccount.credential)
  const limitedRuns = runs.filter(({ error }) => error?.includes('asks to wait 7 s'))
  expect(limitedRuns).toHaveLength(waits)
})

const endWait = () => sql`update sync_states set paused_until = null`.execute(fixture.product.deps.db)

test('an order whose update time is months ahead counts as of its receipt and keeps changing', async () => {
  const [network] = fixture.fakes
  const networkAccount = await fixture.createAccount('Ahead', '100k', buildFastMapping(network))
  network.store.addOrders(1, now() - hour)
  const [order] = network.store.orders()
  if (order === undefined) throw new Error('No order')
  const report = async (status: string, updated: number) => {
    Object.assign(order, { status, updated })
    const { counts } = await fixture.runSync(networkAccount)
    const { rows } = await sql<{ source_status: string; is_past: boolean }>`
      select source_status, updated_at <= now() as is_past from leads
      where source_id = ${networkAccount.source} and external_id = ${String(order.id)}`.execute(
      fixture.product.deps.db,
    )
    return { ...rows[0], updated: counts.updated }
  }
  expect(await report('new', now() + 400 * day)).toMatchObject({ source_status: 'new', is_past: true })
  expect(await report('new', now() + 400 * day)).toEqual({ source_status: 'new', is_past: true, updated: 0 })
  const changed = { source_status: 'sent', is_past: true, updated: 1 }
  expect(await report('sent', now() + 400 * day)).toEqual(changed)
  // The network gives times in whole seconds.
  expect(await report('delivered', now() + minute)).toMatchObject({ source_status: 'delivered', updated: 1 })
})

test('a network that ignores the number of the page fails the part, and the next run begins at the first page', async () => {
  const [network] = fixture.fakes
  const mapping = buildFastMapping(network)
  const account = await fixture.createAccount('Same page', '100k', {
    ...mapping,
    orders: { paging: { by: 'page', param: 'seite' } },
  })
  const countRequests = () => network.requests.filter(({ path }) => path.endsWith('/orders')).length
  for (const requests of [2, 4]) {
    const before = countRequests() - (requests - 2)
    expect(await fixture.runSync(account)).toMatchObject({
      status: 'partial',
      error: expect.stringContaining('orders: The network sends the same page again'),
    })
    expect(countRequests() - before).toBe(requests)
  }
})

test('the run of a network that does not answer ends after two timeouts', async () => {
  const [network] = fixture.fakes
  const { credential } = await fixture.createAccount('Silent', '100k', buildFastMapping(network))
  let requests = 0
  const request = async () => {
    requests += 1
    throw new OutgoingError('timeout', describeSync('host_timeout', { host: 'network.example' }))
  }
  const { deps } = fixture.product
  const kinds = syncKinds({ ...deps, outgoing: { ...deps.outgoing, request } })
  await runSyncs(deps, kinds)
  expect(requests).toBe(2)
  expect(await fixture.runs(credential)).toMatchObject([
    { status: 'failed', error: 'network.example did not answer in time.' },
  ])
})
