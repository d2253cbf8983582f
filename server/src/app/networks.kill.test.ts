import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { GroupRow } from '@karvon/contract/reports/reports.ts'
import { selectCount } from '@karvon/testkit/extent.ts'
import type { StoredOrder } from '@karvon/testkit/fakes/network.store.ts'
import type { NetworkRequest } from '@karvon/testkit/fakes/network.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { runStart, now } from '../../test/moment.ts'
import { listOrders, createRandom, openNetworks } from '../../test/networks.ts'
import { countRollupDifferences, noDifferences } from '../../test/recount.ts'
import { createSyncWorkers } from '../../test/worker.ts'

const kills = selectCount({ short: 4, long: 20 })
const orders = selectCount({ short: 250, long: 1000 })
/** Milliseconds between two pages, and seconds of a 429, as configured here. */
const delay = 50
const retryAfter = 5

const open = () => openNetworks(['100k'])
let fixture: Awaited<ReturnType<typeof open>>
const workers = createSyncWorkers()

beforeAll(async () => {
  fixture = await open()
})
afterEach(() => workers.killAll())
afterAll(() => fixture.close())

const query = async <Row>(text: string, values: unknown[] = []) =>
  (await fixture.product.deps.pool.query<Row & Record<string, unknown>>(text, values)).rows

/** Ends the five minutes before the next run; a pause stays. */
const makeDue = () =>
  query(`update sync_states set next_run_at = now()
    where coalesce(leased_until, now()) <= now() and next_run_at > now()`)

/**
 * Ends the lease of a killed run, but not a wait that the network asked for. The lease gets no owner, because a
 * statement of the killed process may still arrive. Returns the page of orders that the run had reached.
 */
const release = async (until: number) => {
  const [state] = await query<{ progress: { orders?: { at?: string } } | null }>(
    `update sync_states set leased_by = null, leased_until = greatest(now(), to_timestamp($1 / 1000.0)) returning progress`,
    [until],
  )
  return state?.progress?.orders?.at
}

const isOrders = ({ path }: NetworkRequest) => path.endsWith('/orders')
const isSignIn = ({ path }: NetworkRequest) => path.endsWith('/sign-in')
/** Requests that came too early, and sign-ins without a need. */
function findLimitViolations(hits: readonly NetworkRequest[]) {
  const pairs = hits.slice(1).map((hit, i) => ({ hit, last: hits[i] ?? hit }))
  const firstAnswer = hits.find((hit) => hit.status === 200 && !isSignIn(hit))?.at ?? Infinity
  return {
    // A timer may be a millisecond early. A run's first request does not wait.
    withoutPause: pairs.filter(
      ({ hit, last }) => !isSignIn(hit) && !isSignIn(last) && hit.at - last.at < delay - 2,
    ),
    beforeRetryAfter: pairs.filter(
      ({ hit, last }) => last.status === 429 && hit.at - last.at < retryAfter * 1000 - 50,
    ),
    // The token is stored after the first answer.
    needlessSignIns: pairs.filter(
      ({ hit, last }) => isSignIn(hit) && hit.at > firstAnswer && last.status !== 401,
    ),
  }
}

/** Whether `part` is a subsequence of `whole`. */
function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0
  return part.every((item) => {
    const at = whole.indexOf(item, next)
    next = at + 1
    return at >= 0
  })
}

const columns: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  callback: 'recall',
  sent: 'send',
  delivered: 'sold',
  client_returned: 'returned',
  cancelled: 'cancel',
  trash: 'cancel',
  hold: 'hold',
}

test('kills during syncs with a faulty network lose no lead, duplicate none, and keep its limits', async () => {
  const [network] = fixture.fakes
  const { store, requests } = network
  const chance = createRandom(2026)
  for (let day = 1; store.orders().length < orders; day++)
    store.addOrders(Math.min(220, orders - store.orders().length), runStart - (48 - day) * 86_400_000)
  const mapping = { base_url: network.url, limits: { page_delay_ms: delay } }
  const networkAccount = await fixture.createAccount('Killed', '100k', mapping)
  const faults = {
    slow: 10,
    retryAfter,
    broken: 0.02,
    garbage: 0.01,
    half: 0.02,
    drop: 0.02,
    repeat: 0.1,
    forget: 0.02,
    chance,
  }
  network.faults = faults

  let ticks = 0
  let lastDueChange: Promise<unknown> = Promise.resolve()
  const changeTimer = setInterval(() => {
    if (++ticks % 4 === 0) store.addOrders(1, now())
    store.advanceOrders(5, now())
  }, 50)
  const dueTimer = setInterval(() => {
    lastDueChange = lastDueChange.then(makeDue)
  }, 100)
  /** The state of the orders after a kill, the last requested page, and the number of requests by then. */
  const stopPositions: { at: string; last: string | null | undefined; hits: number }[] = []
  const waitForRequests = async (than: number) => {
    await expect.poll(() => requests.length, { interval: 4 }).toBeGreaterThan(than)
  }
  const waits = () => requests.filter(({ status }) => status === 429)
  try {
    let next = workers.start(fixture.product)
    // On some machines most kills are between two runs. So there are more kills until enough are in the middle of the orders.
    for (let kill = 1; kill <= kills || (stopPositions.length <= kills / 3 && kill <= 5 * kills); kill++) {
      const child = await next
      next = workers.start(fixture.product)
      child.write('go')
      await waitForRequests(requests.length + 2 + Math.floor(chance() * 20))
      if (kill % 4 === 0) {
        network.faults = { ...faults, rate_limited: 1 }
        const waitCount = waits().length
        await expect.poll(() => waits().length, { interval: 4 }).toBe(waitCount + 1)
        network.faults = faults
        // Once the process continues after its wait, and once it is killed during the wait.
        if (kill === 4) await waitForRequests(requests.length + 3)
      } else await sleep(chance() * 40)
      await child.kill()
      const at = await release((waits().at(-1)?.at ?? 0) + retryAfter * 1000)
      if (at !== undefined)
        stopPositions.push({ at, last: requests.findLast(isOrders)?.page, hits: requests.length })
    }
    clearInterval(changeTimer)
    network.faults = {}
    ;(await next).write('go')
    await expect.poll(() => fixture.listLeads(networkAccount), { interval: 300 }).toEqual(listOrders(network))
  } finally {
    clearInterval(changeTimer)
    clearInterval(dueTimer)
    await lastDueChange
  }
  await workers.killAll()

  expect(stopPositions.length, 'kills in the middle of the orders').toBeGreaterThan(kills / 3)
  for (const { at, last } of stopPositions)
    expect(Number(at) - Number(last), `at ${at}, asked for ${last}`).oneOf([0, 1])
  const nextPages = stopPositions.map(
    ({ hits: requestCount }) => requests.slice(requestCount).find(isOrders)?.page,
  )
  expect(nextPages).toEqual(stopPositions.map(({ at }) => at))

  const runs = await query<{ status: string; requests: number }>(
    `select status, coalesce((counts ->> 'requests')::int, 0) as requests from sync_runs`,
  )
  const { withoutPause, beforeRetryAfter, needlessSignIns } = findLimitViolations(requests)
  expect(withoutPause.length, 'requests without a pause').toBeLessThanOrEqual(runs.length)
  expect(beforeRetryAfter, 'requests before the time that a 429 named').toEqual([])
  expect(needlessSignIns, 'sign-ins while the token was good').toEqual([])
  const requestSum = runs.reduce((sum, { requests }) => sum + requests, 0)
  expect(requestSum, 'each request counted for the day before it left').toBeGreaterThanOrEqual(
    requests.length,
  )

  const histories = await query<{ id: string; stored: string[] }>(
    `select l.external_id as id, array_agg(h.source_status order by h.id) as stored
      from leads l join lead_history h on h.lead_id = l.id group by l.id`,
  )
  expect(histories).toHaveLength(store.orders().length)
  for (const { id, stored } of histories) {
    const history = store.statusHistory.get(Number(id)) ?? []
    expect(isWithin(stored, history), `${id} is ${stored.join()} of ${history.join()}`).toBe(true)
    expect(stored.at(-1)).toBe(history.at(-1))
  }

  const url = `/api/admin/report/stats?source_id=${networkAccount.source}`
  const [row] = (await callApi(fixture.product.app, fixture.admin, 'GET', url)).json<Page<GroupRow>>().items
  expect(row).toMatchObject(figuresOf(store.orders()))
  expect(await countRollupDifferences(fixture.product.deps.pool)).toEqual(noDifferences)
})

function figuresOf(storedOrders: readonly StoredOrder[]) {
  const inColumn = (column: string) => storedOrders.filter(({ status }) => columns[status] === column)
  const payouts = (column: string) => inColumn(column).reduce((sum, { payout }) => sum + payout, 0) / 100
  const counts = [...new Set(Object.values(columns))].map((column) => [column, inColumn(column).length])
  return {
    ...(Object.fromEntries(counts) as Record<string, number>),
    leads: storedOrders.length,
    profit: payouts('sold'),
    hold_amount: payouts('hold'),
  }
}
