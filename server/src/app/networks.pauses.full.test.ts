import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { day, runStart } from '../../test/moment.ts'
import { listExpectedLeads, addOrders, openPausedNetworks } from '../../test/networks.pauses.ts'

let fixture: Awaited<ReturnType<typeof openPausedNetworks>>

beforeAll(async () => {
  fixture = await openPausedNetworks()
})
afterAll(() => fixture.close())

describe('Syncs after a pause', () => {
  test.each([
    [1, '100k', 1],
    [3, 'odd', 180],
    [10, '100k', 130],
    [40, 'sotuvchi', 900],
  ] as const)(
    'after a pause of %i days, an account of %s fetches every order made meanwhile',
    async (days, shape, missedCount) => {
      const { network, account } = await fixture.openAccount(shape, days * day)
      await fixture.skipFullScan(account)
      addOrders(network, missedCount, days * day)
      const run = await fixture.runSync(account)
      expect(run).toMatchObject({
        status: 'done',
        counts: {
          created: missedCount,
          catch_up_orders: missedCount,
          catch_up_hours: expect.closeTo(days * 24, -1),
        },
      })
      expect(await fixture.listLeads(account)).toEqual(listExpectedLeads(shape, network))
      expect((await fixture.runSync(account)).counts).not.toHaveProperty('catch_up_hours')
      expect((await fixture.readHealth(account))?.gap).toBeNull()
    },
  )

  test('interrupted runs do not move the cursor until the pause is read', async () => {
    const { network, account } = await fixture.openAccount('100k', 10 * day)
    await fixture.skipFullScan(account)
    addOrders(network, 600, 10 * day)
    for (let cut = 1; cut <= 6; cut++) {
      const stopping = new AbortController()
      const hits = network.requests.length
      const watch = setInterval(() => {
        if (network.requests.length - hits >= 4 + cut) stopping.abort()
      }, 1)
      await fixture.runSync(account, false, stopping.signal)
      clearInterval(watch)
      // New orders shift every page between the runs.
      network.store.addOrders(7, runStart + cut * 60_000)
    }
    await fixture.runSync(account)
    await fixture.runSync(account)
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('100k', network))
  })

  test('an order dated in the future does not hide the orders made during a pause', async () => {
    const { network, account } = await fixture.openAccount('100k', 10 * day)
    network.store.addOrders(1, runStart + 900 * day)
    await fixture.runSync(account)
    await fixture.agePauses(account, 10 * day)
    await fixture.skipFullScan(account)
    const future = network.store.orders()[0]
    network.store.removeOrdersBefore(runStart + 800 * day)
    addOrders(network, 200, 10 * day)
    await fixture.runSync(account)
    const leads = await fixture.listLeads(account)
    expect(future && leads.some((line) => line.startsWith(String(future.id)))).toBe(true)
    for (const line of listExpectedLeads('100k', network)) expect(leads).toContain(line)
  })

  test('an account is marked with a gap if its network no longer lists the orders of the pause', async () => {
    const { network, account } = await fixture.openAccount('sotuvchi', 40 * day)
    addOrders(network, 100, 40 * day)
    network.store.removeOrdersBefore(runStart - 20 * day)
    await fixture.runSync(account)
    const gap = (await fixture.readHealth(account))?.gap
    expect(Date.parse(gap?.from ?? '')).toBeLessThan(runStart - 40 * day)
    expect(Date.parse(gap?.to ?? '')).toBeGreaterThanOrEqual(runStart - 20 * day)
    const url = `/api/admin/source-credentials/${account.credential}/close-gap/`
    expect((await callApi(fixture.product.app, fixture.admin, 'POST', url)).statusCode).toBe(200)
    expect((await fixture.readHealth(account))?.gap).toBeNull()
    const log = await callApi(fixture.product.app, fixture.admin, 'GET', '/api/admin/audit/?action=close-gap')
    expect(log.json()).toMatchObject({
      items: [{ row_id: account.credential, new_values: { gap_from: null } }],
    })
    await fixture.runSync(account)
    expect((await fixture.readHealth(account))?.gap).toBeNull()
  })

  test('an order dated in the future does not hide a gap', async () => {
    const { network, account } = await fixture.openAccount('100k', 10 * day)
    network.store.addOrders(1, runStart + 900 * day)
    await fixture.runSync(account)
    await fixture.agePauses(account, 10 * day)
    addOrders(network, 50, 10 * day)
    network.store.removeOrdersBefore(runStart - 5 * day)
    await fixture.runSync(account)
    const gap = (await fixture.readHealth(account))?.gap
    expect(Date.parse(gap?.from ?? '')).toBeLessThan(runStart - 9 * day)
  })

  test('a cursor written by a clock that was ahead hides no order made since', async () => {
    const { network, account } = await fixture.openAccount('100k', day)
    addOrders(network, 50, day)
    await fixture.query(
      `update sync_states set memory = memory || jsonb_build_object(
        'last_full_scan_at', now() + interval '75 days', 'open_leads_since', now() + interval '75 days',
        'last_complete_scan', (memory -> 'last_complete_scan') || jsonb_build_object('started_at', now() + interval '75 days'))
      where source_credential_id = $1`,
      [account.credential],
    )
    expect((await fixture.runSync(account)).counts).toMatchObject({ created: 50, full_scans: 1 })
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('100k', network))
  })

  test('a run whose connector limits its pages is continued by the next run', async () => {
    const { network, account } = await fixture.openAccount('100k', 10 * day, 40, {
      limits: { page_delay_ms: 0, max_pages: 3 },
    })
    await fixture.skipFullScan(account)
    addOrders(network, 200, 10 * day)
    for (let run = 1; run <= 4; run++)
      expect(await fixture.runSync(account)).toMatchObject({ status: 'done' })
    expect(await fixture.listLeads(account)).toEqual(listExpectedLeads('100k', network))
  })
})
