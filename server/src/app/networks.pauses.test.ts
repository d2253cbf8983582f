import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/app.ts'
import { day, runStart } from '../../test/moment.ts'
import { expectedLeads, makeOrders, openPausedNetworks } from '../../test/networks.pauses.ts'

let desks: Awaited<ReturnType<typeof openPausedNetworks>>

beforeAll(async () => {
  desks = await openPausedNetworks()
})
afterAll(() => desks.close())

describe('after a pause', () => {
  test.each([
    [1, '100k', 1],
    [3, 'odd', 180],
    [10, '100k', 130],
    [40, 'sotuvchi', 900],
  ] as const)(
    'of %i days an account of %s has every order that was made meanwhile',
    async (days, shape, missed) => {
      const { network, account } = await desks.openAccount(shape, days * day)
      await desks.holdFullReading(account)
      makeOrders(network, missed, days * day)
      const run = await desks.runNow(account)
      expect(run).toMatchObject({
        status: 'done',
        counts: { created: missed, catch_up_orders: missed, catch_up_hours: expect.closeTo(days * 24, -1) },
      })
      expect(await desks.leads(account)).toEqual(expectedLeads(shape, network))
      expect((await desks.runNow(account)).counts).not.toHaveProperty('catch_up_hours')
      expect((await desks.healthOf(account))?.gap).toBeNull()
    },
  )

  test('a run that is cut off does not move the bound, wherever the next ones are cut off', async () => {
    const { network, account } = await desks.openAccount('100k', 10 * day)
    await desks.holdFullReading(account)
    makeOrders(network, 600, 10 * day)
    for (let cut = 1; cut <= 6; cut++) {
      const stopping = new AbortController()
      const hits = network.requests.length
      const watch = setInterval(() => {
        if (network.requests.length - hits >= 4 + cut) stopping.abort()
      }, 1)
      await desks.runNow(account, false, stopping.signal)
      clearInterval(watch)
      // New orders shift every page while nobody reads.
      network.store.addOrders(7, runStart + cut * 60_000)
    }
    await desks.runNow(account)
    await desks.runNow(account)
    expect(await desks.leads(account)).toEqual(expectedLeads('100k', network))
  })

  test('an order from the future does not hide the orders that were made meanwhile', async () => {
    const { network, account } = await desks.openAccount('100k', 10 * day)
    network.store.addOrders(1, runStart + 900 * day)
    await desks.runNow(account)
    await desks.agePauses(account, 10 * day)
    await desks.holdFullReading(account)
    const future = network.store.orders()[0]
    network.store.removeOrdersBefore(runStart + 800 * day)
    makeOrders(network, 200, 10 * day)
    await desks.runNow(account)
    const leads = await desks.leads(account)
    expect(future && leads.some((line) => line.startsWith(String(future.id)))).toBe(true)
    for (const line of expectedLeads('100k', network)) expect(leads).toContain(line)
  })

  test('an account is marked where its network no longer lists what was made meanwhile', async () => {
    const { network, account } = await desks.openAccount('sotuvchi', 40 * day)
    makeOrders(network, 100, 40 * day)
    network.store.removeOrdersBefore(runStart - 20 * day)
    await desks.runNow(account)
    const gap = (await desks.healthOf(account))?.gap
    expect(Date.parse(gap?.from ?? '')).toBeLessThan(runStart - 40 * day)
    expect(Date.parse(gap?.to ?? '')).toBeGreaterThanOrEqual(runStart - 20 * day)
    const url = `/api/admin/source-credentials/${account.credential}/close-gap/`
    expect((await ask(desks.product.app, desks.admin, 'POST', url)).statusCode).toBe(200)
    expect((await desks.healthOf(account))?.gap).toBeNull()
    const log = await ask(desks.product.app, desks.admin, 'GET', '/api/admin/audit/?action=close-gap')
    expect(log.json()).toMatchObject({
      items: [{ row_id: account.credential, new_values: { gap_from: null } }],
    })
    await desks.runNow(account)
    expect((await desks.healthOf(account))?.gap).toBeNull()
  })

  test('a reading under a clock that was ahead hides no order that was made since', async () => {
    const { network, account } = await desks.openAccount('100k', day)
    makeOrders(network, 50, day)
    await desks.query(
      `update sync_states set memory = memory || jsonb_build_object(
        'full_begun_at', now() + interval '75 days', 'open_since', now() + interval '75 days',
        'last_whole', (memory -> 'last_whole') || jsonb_build_object('begun_at', now() + interval '75 days'))
      where source_credential_id = $1`,
      [account.credential],
    )
    expect((await desks.runNow(account)).counts).toMatchObject({ created: 50, full_readings: 1 })
    expect(await desks.leads(account)).toEqual(expectedLeads('100k', network))
  })

  test('a description that limits the pages of a run has the next run go on', async () => {
    const { network, account } = await desks.openAccount('100k', 10 * day, 40, {
      manners: { page_delay_ms: 0, max_pages: 3 },
    })
    await desks.holdFullReading(account)
    makeOrders(network, 200, 10 * day)
    for (let run = 1; run <= 4; run++) expect(await desks.runNow(account)).toMatchObject({ status: 'done' })
    expect(await desks.leads(account)).toEqual(expectedLeads('100k', network))
  })
})
