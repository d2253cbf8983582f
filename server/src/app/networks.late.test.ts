import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, hour, runStart } from '../../test/moment.ts'
import { chanceFrom } from '../../test/networks.ts'
import {
  expectedLeads,
  openPausedNetworks,
  orderPages,
  type PausedNetwork,
} from '../../test/networks.pauses.ts'

let desks: Awaited<ReturnType<typeof openPausedNetworks>>

beforeAll(async () => {
  desks = await openPausedNetworks()
})
afterAll(() => desks.close())

/** Changes `count` sold orders, picked at random, an hour ago. */
function changeLate(network: PausedNetwork, count: number): void {
  const chance = chanceFrom(count)
  const sold = network.store.orders().filter(({ status }) => status === 'delivered')
  const orders = sold.map(({ id }) => ({ id, place: chance() }))
  for (const { id } of orders.toSorted((a, b) => a.place - b.place).slice(0, count))
    network.store.setStatus(id, 'client_returned', runStart - hour)
}

describe('the daily reading of all orders', () => {
  test.each(['100k', 'sotuvchi', 'odd'] as const)(
    'sees late changes of final orders at %s, and counts them in its run',
    async (shape) => {
      const { network, account } = await desks.openAccount(shape, 3 * day, 300)
      changeLate(network, 60)
      const run = await desks.runNow(account)
      expect(run.counts).toMatchObject({ full_readings: 1, updated: 60 })
      expect(run.counts.late_changes).toBeGreaterThan(10)
      expect(await desks.leads(account)).toEqual(expectedLeads(shape, network))
    },
  )

  test('happens once a night, however often the account is fetched', async () => {
    const { network, account } = await desks.openAccount('100k', 3 * day, 200)
    expect((await desks.runNow(account)).counts).toMatchObject({ full_readings: 1 })
    changeLate(network, 40)
    const before = network.requests.length
    expect((await desks.runNow(account)).counts).not.toHaveProperty('full_readings')
    expect(orderPages(network, before).length).toBeLessThan(8)
    await desks.agePauses(account, 2 * day)
    expect((await desks.runNow(account)).counts).toMatchObject({ full_readings: 1 })
    expect(await desks.leads(account)).toEqual(expectedLeads('100k', network))
  })

  test('happens at once when a person asks for it', async () => {
    const { network, account } = await desks.openAccount('100k', 3 * day, 200)
    await desks.runNow(account)
    changeLate(network, 40)
    expect((await desks.runNow(account, true)).counts).toMatchObject({ full_readings: 1 })
    expect(await desks.leads(account)).toEqual(expectedLeads('100k', network))
    expect((await desks.runNow(account)).counts).not.toHaveProperty('full_readings')
  })

  test('goes on where the runs before it stopped, and begins anew nowhere', async () => {
    const { network, account } = await desks.openAccount('100k', 3 * day, 1000)
    changeLate(network, 150)
    const before = network.requests.length
    for (let cut = 0; cut < 5; cut++) {
      const stopping = new AbortController()
      const hits = network.requests.length
      const watch = setInterval(() => {
        if (network.requests.length - hits >= 14) stopping.abort()
      }, 1)
      await desks.runNow(account, false, stopping.signal)
      clearInterval(watch)
    }
    await desks.runNow(account)
    expect(await desks.leads(account)).toEqual(expectedLeads('100k', network))
    const pages = orderPages(network, before)
    // Each run reads the first pages; of the 40 pages each cut repeats one at the most.
    expect(pages.filter((page) => page > 6).length).toBeLessThanOrEqual(34 + 5)
  })

  test('leaves other accounts their turn', async () => {
    const first = await desks.openAccount('sotuvchi', 3 * day, 2500)
    const second = await desks.openAccount('100k', 3 * day, 50)
    await desks.holdFullReading(second.account)
    const makeDue = (account: { credential: number }, seconds: number) =>
      desks.query(
        `update sync_states set next_run_at = now() - make_interval(secs => $2) where source_credential_id = $1`,
        [account.credential, seconds],
      )
    await makeDue(first.account, 2)
    await makeDue(second.account, 1)
    const began = first.network.requests.length
    await desks.look()
    const run = (await desks.runs(first.account.credential))[0]
    expect(run?.counts).not.toHaveProperty('full_readings')
    expect(orderPages(first.network, began).length).toBeLessThan(12)
    expect(await desks.runs(second.account.credential)).toHaveLength(3)
  })

  test('asks for what changed alone where the description names a filter', async () => {
    const { network, account } = await desks.openAccount('odd', 3 * day, 1000, {
      orders: { updated_since: { param: 'changed_since', unit: 'seconds' } },
    })
    changeLate(network, 30)
    const before = network.requests.length
    expect((await desks.runNow(account)).counts).toMatchObject({ full_readings: 1, updated: 30 })
    expect(orderPages(network, before).length).toBeLessThan(12)
    expect(await desks.leads(account)).toEqual(expectedLeads('odd', network))
  })

  test('sees what the recent reading leaves out, so that one order that never ends costs no day’s requests', async () => {
    const { network, account } = await desks.openAccount('100k', 3 * day, 1000)
    const oldest = network.store.orders().at(-1)
    network.store.setStatus(oldest?.id ?? 0, 'callback', runStart - hour)
    await desks.runNow(account, true)
    await desks.holdFullReading(account)
    const { rows } = await desks.query(
      `update sync_states set next_run_at = now() where source_credential_id = $1
      returning ceil(extract(epoch from current_date + 1 - now()) / 300)::int as runs`,
      [account.credential],
    )
    const { runs } = rows[0] as { runs: number }
    const before = network.requests.length
    // 15 requests for each run that is still to come today, on top of those that were made already.
    const dailyRequests = runs * 15 + (await desks.requestsToday(account))
    await desks.look(undefined, { dailyRequests })
    expect(orderPages(network, before).length).toBeLessThanOrEqual(15)
    expect(orderPages(network, before).length).toBeGreaterThan(5)
    network.store.setStatus(oldest?.id ?? 0, 'delivered', runStart)
    await desks.runNow(account, true)
    expect(await desks.leads(account)).toEqual(expectedLeads('100k', network))
  })
})
