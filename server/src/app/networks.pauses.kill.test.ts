import { setTimeout as sleep } from 'node:timers/promises'
import { selectCount } from '@karvon/testkit/extent.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { day, hour, runStart } from '../../test/moment.ts'
import { createRandom, type TestNetworkAccount } from '../../test/networks.ts'
import {
  listExpectedLeads,
  addOrders,
  openPausedNetworks,
  dialects,
  type PausedNetwork,
} from '../../test/networks.pauses.ts'
import { createSyncWorkers } from '../../test/worker.ts'

let fixture: Awaited<ReturnType<typeof openPausedNetworks>>
const workers = createSyncWorkers()

beforeAll(async () => {
  fixture = await openPausedNetworks()
})
afterEach(() => workers.killAll())
afterAll(() => fixture.close())

/** A run that has little left to read makes few requests and then waits for its next time. */
const hasEnded = async (credential: number) => {
  const text = `select from sync_states where source_credential_id = $1 and leased_by is null and next_run_at > now()`
  return (await fixture.query(text, [credential])).rowCount === 1
}

/** Lets workers fetch the account and kills each after some requests, then lets one finish. */
async function fetchThroughKills(
  network: PausedNetwork,
  { credential }: TestNetworkAccount,
  kills: number,
): Promise<void> {
  const makeDue = () =>
    fixture.query(
      `update sync_states set next_run_at = now(), leased_until = null, leased_by = null where source_credential_id = $1`,
      [credential],
    )
  const chance = createRandom(kills)
  for (let kill = 0; kill < kills; kill++) {
    const child = await workers.start(fixture.product)
    await makeDue()
    const before = network.requests.length
    child.write('go')
    await expect
      .poll(async () => {
        const requests = network.requests.length - before
        return requests > 6 || (requests > 0 && (await hasEnded(credential)))
      })
      .toBe(true)
    await sleep(chance() * 200)
    await child.kill()
    // Pages shift between the runs.
    network.store.addOrders(3, runStart + kill * 1000)
  }
  await makeDue()
  await fixture.runSyncs()
}

const orders = selectCount({ short: 200, long: 5000 })

test.each(dialects)(
  `after 40 days and through kills, an account of %s fetches the ${orders} orders made meanwhile`,
  async (shape) => {
    const { network, account } = await fixture.openAccount(shape, 40 * day)
    await fixture.skipFullScan(account)
    addOrders(network, orders, 40 * day)
    await fetchThroughKills(network, account, 3)
    await fixture.runSync(account)
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads(shape, network))
    expect(await fixture.requestsToday(account)).toBeLessThan(20_000)
  },
)

test(`a full scan through kills finds ${orders} changed final orders of up to a year`, async () => {
  const { network, account } = await fixture.openAccount('100k', 3 * day, 2 * orders)
  const chance = createRandom(orders)
  const placedOrders = network.store.orders().map(({ id, status }) => ({ id, status, place: chance() }))
  for (const { id, status } of placedOrders.toSorted((a, b) => a.place - b.place).slice(0, orders))
    network.store.setStatus(
      id,
      status === 'client_returned' ? 'delivered' : 'client_returned',
      runStart - hour,
    )
  await fetchThroughKills(network, account, 3)
  // An interrupted reading continues. Newer orders are read by the next one.
  do await fixture.runSync(account)
  while (await isReadingAll(account))
  expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('100k', network))
  expect(await fixture.requestsToday(account)).toBeLessThan(20_000)
})

const isReadingAll = async ({ credential }: TestNetworkAccount) => {
  const text = `select 1 from sync_states where source_credential_id = $1 and memory ? 'full'`
  return (await fixture.query(text, [credential])).rows.length > 0
}
