import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, hour, runStart } from '../../test/moment.ts'
import { createRandom } from '../../test/networks.ts'
import {
  listExpectedLeads,
  openPausedNetworks,
  listOrderPages,
  type PausedNetwork,
} from '../../test/networks.pauses.ts'

let fixture: Awaited<ReturnType<typeof openPausedNetworks>>

beforeAll(async () => {
  fixture = await openPausedNetworks()
})
afterAll(() => fixture.close())

/** Changes `count` sold orders, picked at random, an hour ago. */
function changeLate(network: PausedNetwork, count: number): void {
  const chance = createRandom(count)
  const soldOrders = network.store.orders().filter(({ status }) => status === 'delivered')
  const orders = soldOrders.map(({ id }) => ({ id, place: chance() }))
  for (const { id } of orders.toSorted((a, b) => a.place - b.place).slice(0, count))
    network.store.setStatus(id, 'client_returned', runStart - hour)
}

describe('Full scans', () => {
  test.each(['100k', 'sotuvchi', 'odd'] as const)(
    'a full scan finds late changes of final orders at %s, and counts them in its run',
    async (shape) => {
      const { network, account } = await fixture.openAccount(shape, 3 * day, 300)
      changeLate(network, 60)
      const run = await fixture.runSync(account)
      expect(run.counts).toMatchObject({ full_scans: 1, updated: 60 })
      expect(run.counts.late_changes).toBeGreaterThan(10)
      expect(await fixture.listLeads(account)).toEqual(listExpectedLeads(shape, network))
    },
  )

  test('a full scan runs once a night, however often the account is synced', async () => {
    const { network, account } = await fixture.openAccount('100k', 3 * day, 200)
    expect((await fixture.runSync(account)).counts).toMatchObject({ full_scans: 1 })
    changeLate(network, 40)
    const before = network.requests.length
    expect((await fixture.runSync(account)).counts).not.toHaveProperty('full_scans')
    expect(listOrderPages(network, before).length).toBeLessThan(8)
    await fixture.agePauses(account, 2 * day)
    expect((await fixture.runSync(account)).counts).toMatchObject({ full_scans: 1 })
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('100k', network))
  })

  test('a full scan runs at once when a person asks for it', async () => {
    const { network, account } = await fixture.openAccount('100k', 3 * day, 200)
    await fixture.runSync(account)
    changeLate(network, 40)
    expect((await fixture.runSync(account, true)).counts).toMatchObject({ full_scans: 1 })
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('100k', network))
    expect((await fixture.runSync(account)).counts).not.toHaveProperty('full_scans')
  })

  test('an interrupted full scan continues where it stopped', async () => {
    const { network, account } = await fixture.openAccount('100k', 3 * day, 1000)
    changeLate(network, 150)
    const before = network.requests.length
    for (let cut = 0; cut < 5; cut++) {
      const stopping = new AbortController()
      const hits = network.requests.length
      const watch = setInterval(() => {
        if (network.requests.length - hits >= 14) stopping.abort()
      }, 1)
      await fixture.runSync(account, false, stopping.signal)
      clearInterval(watch)
    }
    await fixture.runSync(account)
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('100k', network))
    const pages = listOrderPages(network, before)
    // Each run reads the first pages. Each cut repeats at most one of the 40 pages.
    expect(pages.filter((page) => page > 6).length).toBeLessThanOrEqual(34 + 5)
  })

  test('a long full scan lets other accounts run', async () => {
    const first = await fixture.openAccount('sotuvchi', 3 * day, 2500)
    const second = await fixture.openAccount('100k', 3 * day, 50)
    await fixture.skipFullScan(second.account)
    const makeDue = (account: { credential: number }, seconds: number) =>
      fixture.query(
        `update sync_states set next_run_at = now() - make_interval(secs => $2) where source_credential_id = $1`,
        [account.credential, seconds],
      )
    // Minutes, so that a step of the machine's clock does not change which account is due.
    await makeDue(first.account, 120)
    await makeDue(second.account, 60)
    const requestsBefore = first.network.requests.length
    await fixture.runSyncs()
    const run = (await fixture.runs(first.account.credential))[0]
    expect(run?.counts).not.toHaveProperty('full_scans')
    expect(listOrderPages(first.network, requestsBefore).length).toBeLessThan(12)
    expect(await fixture.runs(second.account.credential)).toHaveLength(3)
  })

  test('a full scan asks only for changed orders if the connector has a filter for them', async () => {
    const { network, account } = await fixture.openAccount('odd', 3 * day, 1000, {
      orders: { updated_since: { param: 'changed_since', unit: 'seconds' } },
    })
    changeLate(network, 30)
    const before = network.requests.length
    expect((await fixture.runSync(account)).counts).toMatchObject({ full_scans: 1, updated: 30 })
    expect(listOrderPages(network, before).length).toBeLessThan(12)
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('odd', network))
  })

  test('a full scan covers what the recent scan leaves out, so an order that never ends costs no requests', async () => {
    const { network, account } = await fixture.openAccount('100k', 3 * day, 1000)
    const oldest = network.store.orders().at(-1)
    network.store.setStatus(oldest?.id ?? 0, 'callback', runStart - hour)
    await fixture.runSync(account, true)
    await fixture.skipFullScan(account)
    const { rows } = await fixture.query(
      `update sync_states set next_run_at = now() where source_credential_id = $1
      returning ceil(extract(epoch from current_date + 1 - now()) / 300)::int as runs`,
      [account.credential],
    )
    const { runs } = rows[0] as { runs: number }
    const before = network.requests.length
    // 15 requests for each remaining run of the day, in addition to those already made.
    const dailyRequests = runs * 15 + (await fixture.requestsToday(account))
    await fixture.runSyncs(undefined, { dailyRequests })
    expect(listOrderPages(network, before).length).toBeLessThanOrEqual(15)
    expect(listOrderPages(network, before).length).toBeGreaterThan(5)
    network.store.setStatus(oldest?.id ?? 0, 'delivered', runStart)
    await fixture.runSync(account, true)
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('100k', network))
  })
})
