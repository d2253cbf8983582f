import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { day, hour, runStart } from '../../test/moment.ts'
import { chanceFrom, type Reading } from '../../test/networks.ts'
import {
  expectedLeads,
  makeOrders,
  openPausedNetworks,
  shapes,
  type PausedNetwork,
} from '../../test/networks.pauses.ts'
import { syncWorkers } from '../../test/sync-worker.start.ts'

let desks: Awaited<ReturnType<typeof openPausedNetworks>>
const workers = syncWorkers()

beforeAll(async () => {
  desks = await openPausedNetworks()
})
afterEach(() => workers.killAll())
afterAll(() => desks.close())

/** Lets workers fetch the account and kills each after some requests, then lets one finish. */
async function fetchThroughKills(
  network: PausedNetwork,
  { credential }: Reading,
  kills: number,
): Promise<void> {
  const makeDue = () =>
    desks.query(
      `update sync_states set next_run_at = now(), leased_until = null, leased_by = null where source_credential_id = $1`,
      [credential],
    )
  const chance = chanceFrom(kills)
  for (let kill = 0; kill < kills; kill++) {
    const child = await workers.start(desks.product)
    await makeDue()
    const before = network.requests.length
    child.stdin?.write('go')
    await expect.poll(() => network.requests.length - before, { timeout: 60_000 }).toBeGreaterThan(6)
    await sleep(chance() * 200)
    await workers.kill(child)
    // Pages shift while nobody reads.
    network.store.addOrders(3, runStart + kill * 1000)
  }
  await makeDue()
  await desks.look()
}

test.each(shapes)(
  'after 40 days, through five kills, an account of %s has 5,000 orders that were made meanwhile',
  { timeout: 300_000 },
  async (shape) => {
    const { network, account } = await desks.openAccount(shape, 40 * day)
    await desks.holdFullReading(account)
    makeOrders(network, 5000, 40 * day)
    await fetchThroughKills(network, account, 5)
    await desks.runNow(account)
    expect(await desks.leads(account)).toEqual(expectedLeads(shape, network))
    expect(await desks.requestsToday(account)).toBeLessThan(20_000)
  },
)

test(
  'one daily reading, through five kills, sees 5,000 final orders change at ages of up to a year',
  { timeout: 300_000 },
  async () => {
    const { network, account } = await desks.openAccount('100k', 3 * day, 10_000)
    const chance = chanceFrom(5000)
    const orders = network.store.orders().map(({ id, status }) => ({ id, status, place: chance() }))
    for (const { id, status } of orders.toSorted((a, b) => a.place - b.place).slice(0, 5000))
      network.store.setStatus(
        id,
        status === 'client_returned' ? 'delivered' : 'client_returned',
        runStart - hour,
      )
    await fetchThroughKills(network, account, 5)
    // A reading that was cut off goes on where it was; what came since is in the next one.
    do await desks.runNow(account)
    while (await isReadingAll(account))
    expect(await desks.leads(account)).toEqual(expectedLeads('100k', network))
    expect(await desks.requestsToday(account)).toBeLessThan(20_000)
  },
)

const isReadingAll = async ({ credential }: Reading) => {
  const text = `select 1 from sync_states where source_credential_id = $1 and memory ? 'full'`
  return (await desks.query(text, [credential])).rows.length > 0
}
