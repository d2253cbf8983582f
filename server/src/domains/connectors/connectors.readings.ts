import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import type { Network } from '../../integrations/cpa-network/cpa-network.ts'
import type { SyncRun } from '../syncs/syncs.kind.ts'
import type { Fetched } from './connectors.account.ts'
import type { Fetching } from './connectors.fetch.ts'
import type { FindOffers } from './connectors.offers.ts'
import { takeOrders, type TakenOrders } from './connectors.orders.ts'
import { readOrders, readable } from './connectors.rows.ts'
import { lastNightStart, oldestOpen } from './connectors.store.ts'
import { walkList } from './connectors.walk.ts'

/** One reading of the orders, from its first page on. Times are ISO texts. */
export interface Reading {
  /** When its first page was asked for, by the database's clock; null before that. */
  begun_at: string | null
  /** The newest and the oldest order that it saw, by the network's clock. */
  newest: string | null
  oldest: string | null
  /** Where it goes on. */
  at?: string
}

/** What the runs of an account leave for the next ones. */
export interface ReadingMemory {
  /** How many readings ended whole, 2 at most: the first two read every order. */
  whole_runs?: number
  /** The last recent reading that ended whole. */
  last_whole?: { begun_at: string; newest: string | null }
  /** Every older lead was final when the last full reading ended, or the recent one after it. */
  open_since?: string
  /** A full reading that goes on in the next run. */
  full?: Reading
  /** The beginning of the last full reading that came to its end. */
  full_begun_at?: string
}

export interface OrdersOfAccount {
  fetching: Fetching
  credential: Fetched
  description: ConnectorDescription
  network: Network
  run: SyncRun
  findOffers: FindOffers
  memory: ReadingMemory
  /** When the last request left, by the database's clock. */
  requestedAt: () => Date
}

/** Milliseconds: clocks differ, and networks show some orders late. */
const overlap = 24 * 3600_000
/** Milliseconds after which a reading counts as one that catches up. */
const usualGap = 3600_000
/** Milliseconds that one run gives to the full reading, so that the recent orders are not late. */
const fullReadingPerRun = 5 * 60_000
/** Pages that a run reads in any case, however many accounts wait. */
const fullPagesAtLeast = 5

export const newReading = (): Reading => ({ begun_at: null, newest: null, oldest: null })

/**
 * Reads the orders from the newest one back to what is known and final: 24 hours before the beginning of the last
 * reading that ended whole, the newest order that it saw, or the oldest lead that can still move, whichever is the
 * oldest. Leads that can still move are read back as far as the day's requests allow in each run; the full reading
 * reads them all. True when the reading is whole; false when `max_pages` cut it off and the next run goes on.
 */
export async function readRecentOrders(
  account: OrdersOfAccount,
  reading: Reading,
  save: () => Promise<void>,
): Promise<boolean> {
  const { run, memory, description } = account
  const bounds = description.orders?.newest_first === false ? null : await readBounds(account)
  const allowance = await allowedRequests(run)
  const before = memory.last_whole
  let created = 0
  const end = await walkList({
    ...walkOf(account, reading, save),
    beforePage: (page) => run.phase(page === 1 ? 'orders' : `orders, page ${page}`),
    async storePage(items) {
      const orders = await storeOrders(account, reading, items)
      created += orders.counts.created ?? 0
      await run.count(orders.counts)
      // A page on which nothing could be read says nothing of where it stands.
      if (bounds === null || orders.newest === null || orders.newest >= bounds.caughtUp) return true
      return orders.newest >= bounds.open && run.requests < allowance
    },
  })
  if (end === 'limit') return false
  const begun_at = reading.begun_at ?? account.requestedAt().toISOString()
  if (before !== undefined && Date.parse(begun_at) - Date.parse(before.begun_at) > usualGap) {
    const hours = Math.ceil((Date.parse(begun_at) - Date.parse(before.begun_at)) / 3600_000)
    await run.count({ catch_up_hours: hours, catch_up_orders: created })
    await markGap(account, reading, end === 'end' ? before.newest : null)
  }
  memory.whole_runs = Math.min((memory.whole_runs ?? 0) + 1, 2)
  memory.last_whole = { begun_at, newest: latest(reading.newest, before?.newest ?? null) }
  if (bounds === null) {
    memory.full_begun_at = begun_at
    delete memory.full
  }
  await rememberOldestOpen(account, bounds === null ? null : (memory.open_since ?? null))
  return true
}

/**
 * Reads every order once a day, from the account's hour of the night on, since networks change final orders weeks
 * later. One run reads for some minutes, less when other accounts wait or the day's requests run short; the next run
 * goes on. A description with `updated_since` has the network pick what changed.
 */
export async function readAllOrders(account: OrdersOfAccount): Promise<void> {
  const { run, memory, description } = account
  if ((memory.whole_runs ?? 0) < 2 || description.orders?.newest_first === false) return
  if (memory.full === undefined && !(await isFullReadingDue(account))) return
  const reading = (memory.full ??= newReading())
  const filter = description.orders?.updated_since
  const since = memory.full_begun_at
  // The requests of the recent reading: each further run of the day needs about as many.
  const perRun = run.requests
  const until = performance.now() + fullReadingPerRun
  const end = await walkList({
    ...walkOf(account, reading, () => run.remember({ ...memory })),
    ...(filter !== undefined && since !== undefined && { query: updatedSince(filter, since) }),
    beforePage: (page) => run.phase(`all orders, page ${page} of this run`),
    async storePage(items) {
      const { counts } = await storeOrders(account, reading, items)
      const late = (counts.created ?? 0) + (counts.updated ?? 0)
      await run.count({ ...counts, late_changes: late, full_reading_rows: items.length })
      const { left, runs } = await run.budget()
      if (left <= runs * perRun || performance.now() > until) return false
      return run.requests - perRun < fullPagesAtLeast || !(await run.isAnotherDue())
    },
  })
  if (end !== 'end') return
  if (reading.begun_at !== null) memory.full_begun_at = reading.begun_at
  delete memory.full
  await run.count({ full_readings: 1 })
  await rememberOldestOpen(account, null)
}

/** Due once since its hour of the last night, and when a person asked for it since the last one. */
async function isFullReadingDue({ fetching, credential, run, memory }: OrdersOfAccount): Promise<boolean> {
  const last = memory.full_begun_at
  if (last === undefined) return true
  if (run.fullAskedAt !== null && Date.parse(run.fullAskedAt) > Date.parse(last)) return true
  const { start, now } = await lastNightStart(fetching.db, credential.id)
  // A beginning that lies ahead was written under a clock that has been set back since.
  return Date.parse(last) < start || Date.parse(last) > now
}

const walkOf = (account: OrdersOfAccount, reading: Reading, save: () => Promise<void>) => ({
  network: account.network,
  list: 'orders' as const,
  at: reading.at,
  maxPages: account.description.manners?.max_pages ?? usualMaxPages,
  async savePlace(at: string | undefined) {
    if (at === undefined) delete reading.at
    else reading.at = at
    await save()
  },
})

/** Pages of a list that one run reads, unless the description says otherwise. */
export const usualMaxPages = 20_000

async function storeOrders(
  { fetching, credential, description, run, findOffers, requestedAt }: OrdersOfAccount,
  reading: Reading,
  items: unknown[],
): Promise<TakenOrders> {
  const list = description.orders
  if (list === undefined) return { counts: {}, newest: null, oldest: null }
  const asked = requestedAt()
  reading.begun_at ??= asked.toISOString()
  const { rows } = await readable(run, readOrders(description, list, items))
  await findOffers(rows)
  const orders = await takeOrders(fetching, credential, description, rows, asked)
  reading.newest = latest(reading.newest, isoOf(orders.newest))
  const oldest = isoOf(orders.oldest)
  if (oldest !== null && (reading.oldest === null || oldest < reading.oldest)) reading.oldest = oldest
  return orders
}

const isoOf = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString())

const latest = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

/** Milliseconds: orders since `caughtUp` may be unknown, leads since `open` may still move. Null: all are to be read. */
async function readBounds({
  fetching,
  credential,
  memory,
}: OrdersOfAccount): Promise<{ caughtUp: number; open: number } | null> {
  const { last_whole: last } = memory
  if ((memory.whole_runs ?? 0) < 2 || last === undefined || last.newest === null) return null
  const oldest = await oldestOpen(
    fetching.db,
    credential.source_id,
    credential.user_id,
    memory.open_since ?? null,
  )
  const caughtUp = Math.min(Date.parse(last.begun_at), Date.parse(last.newest)) - overlap
  return { caughtUp, open: oldest === null ? Infinity : Date.parse(oldest) - overlap }
}

/** How many requests this run may make, so that those of the day last for all of its runs. */
async function allowedRequests(run: SyncRun): Promise<number> {
  const { left, runs } = await run.budget()
  return run.requests + Math.floor(left / Math.max(runs, 1))
}

/**
 * Where the list ended before it reached the newest order that was known, the network keeps orders for a shorter time
 * than nobody read them. What lies between may be missing, and a person has to look.
 */
async function markGap({ run }: OrdersOfAccount, { oldest, begun_at }: Reading, known: string | null) {
  if (known === null || begun_at === null || (oldest !== null && oldest <= known)) return
  await run.markGap(known, oldest ?? begun_at)
}

async function rememberOldestOpen(
  { fetching, credential, memory, run, requestedAt }: OrdersOfAccount,
  since: string | null,
): Promise<void> {
  const oldest = await oldestOpen(fetching.db, credential.source_id, credential.user_id, since)
  memory.open_since = oldest ?? new Date(requestedAt().getTime() - overlap).toISOString()
  await run.remember({ ...memory })
}

/** The filter's parameter for what changed since then, a day earlier for clocks that differ. */
function updatedSince(
  { param, unit = 'text' }: NonNullable<NonNullable<ConnectorDescription['orders']>['updated_since']>,
  since: string,
): Record<string, string> {
  const moment = Date.parse(since) - overlap
  const iso = new Date(moment).toISOString()
  const texts = {
    text: iso,
    day: iso.slice(0, 10),
    seconds: String(Math.floor(moment / 1000)),
    milliseconds: String(moment),
  }
  return { [param]: texts[unit] }
}
