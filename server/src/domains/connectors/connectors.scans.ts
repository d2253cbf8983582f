import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import type { SyncRunContext } from '../syncs/syncs.kind.ts'
import { defaultMaxPages, type NetworkSyncContext } from './connectors.context.ts'
import { ingestOrders, type OrdersPageResult } from './connectors.orders.ts'
import { parseOrders, countParsedRows } from './connectors.parse.ts'
import { findLastNightStart, findOldestOpenLead } from './connectors.queries.ts'
import { readPages } from './connectors.paging.ts'

/** A scan of the orders, from the first page on. Times are ISO texts. It is stored in the progress of a sync. */
export interface OrdersScan {
  /** Time of the request of the first page, by the database's clock; null before that request. */
  started_at: string | null
  /** Creation times of the newest and the oldest order so far, by the network's clock. */
  newest: string | null
  oldest: string | null
  /** The cursor of the next page. */
  at?: string
}

/** Milliseconds. Scans overlap because clocks differ and networks show some orders late. */
const overlap = 24 * 3600_000
/** Milliseconds between two scans after which the second one is counted as catching up. */
const catchUpThreshold = 3600_000
/** Milliseconds that one run spends on the full scan, so that the recent orders are not delayed. */
const maxFullScanTime = 5 * 60_000
/** Minimum number of pages that a run reads while other accounts wait. */
const minFullScanPages = 5

export const createScan = (): OrdersScan => ({ started_at: null, newest: null, oldest: null })

/**
 * Scans the orders from the newest one back to the orders that are known and final. The end is 24 hours before the
 * oldest of these times: the start of the last complete scan, the newest order of that scan, and the oldest lead that
 * is not final. A run reads leads that are not final only as far as the day's requests allow; the full scan reads all.
 * Answers true for a complete scan, false if the next run continues it.
 */
export async function scanRecentOrders(
  context: NetworkSyncContext,
  scan: OrdersScan,
  saveScan: () => Promise<void>,
): Promise<boolean> {
  const { run, memory, description } = context
  const bounds = description.orders?.newest_first === false ? null : await readScanBounds(context)
  const allowance = await readRequestAllowance(run)
  const previous = memory.last_complete_scan
  let createdCount = 0
  const end = await readPages({
    ...buildPagingOptions(context, scan, saveScan),
    beforePage: (page) => run.setPart('orders', page),
    async storePage(items) {
      const orders = await storeOrders(context, scan, items)
      createdCount += orders.counts.created ?? 0
      await run.addCounts(orders.counts)
      // A page without any readable time of an order has no known time, so the scan continues.
      if (bounds === null || orders.newest === null || orders.newest >= bounds.knownUntil) return true
      return orders.newest >= bounds.openSince && run.requestCount < allowance
    },
  })
  if (end === 'limit' || end === 'paused') return false
  const startedAt = scan.started_at ?? context.requestedAt().toISOString()
  if (previous !== undefined && Date.parse(startedAt) - Date.parse(previous.started_at) > catchUpThreshold) {
    const hours = Math.ceil((Date.parse(startedAt) - Date.parse(previous.started_at)) / 3600_000)
    await run.addCounts({ catch_up_hours: hours, catch_up_orders: createdCount })
    await recordGapIfAny(context, scan, end === 'end' ? previous.newest : null)
  }
  memory.complete_scans = Math.min((memory.complete_scans ?? 0) + 1, 2)
  memory.last_complete_scan = {
    started_at: startedAt,
    newest: scan.newest ?? previous?.newest ?? null,
  }
  if (bounds === null) {
    memory.last_full_scan_at = startedAt
    delete memory.has_new_description
    delete memory.full_scan
  }
  await saveOldestOpenLead(context, bounds === null ? null : (memory.open_leads_since ?? null))
  return true
}

/**
 * Scans all orders once a day, because networks change final orders weeks later. The scan starts at the account's time
 * of the night. One run scans for some minutes, or less while other accounts wait or few requests of the day are left;
 * the next run continues. With `updated_since` in the description, the network returns changed orders only.
 */
export async function scanAllOrders(context: NetworkSyncContext): Promise<void> {
  const { run, memory, description } = context
  if ((memory.complete_scans ?? 0) < 2 || description.orders?.newest_first === false) return
  if (memory.full_scan === undefined && !(await isFullScanDue(context, memory.last_full_scan_at))) return
  const scan = (memory.full_scan ??= createScan())
  const filter = description.orders?.updated_since
  const lastFullScan = memory.last_full_scan_at
  const mayContinue = createFullScanLimit(run)
  const end = await readPages({
    ...buildPagingOptions(context, scan, () => run.saveMemory({ ...memory })),
    ...(filter !== undefined &&
      lastFullScan !== undefined && { query: buildUpdatedSinceQuery(filter, lastFullScan) }),
    beforePage: (page) => run.setPart('all_orders', page),
    async storePage(items) {
      const { counts } = await storeOrders(context, scan, items)
      const lateCount = (counts.created ?? 0) + (counts.updated ?? 0)
      await run.addCounts({ ...counts, late_changes: lateCount, full_scan_rows: items.length })
      return mayContinue()
    },
  })
  if (end !== 'end') return
  if (scan.started_at !== null) memory.last_full_scan_at = scan.started_at
  delete memory.has_new_description
  delete memory.full_scan
  await run.addCounts({ full_scans: 1 })
  await saveOldestOpenLead(context, null)
}

/** Creates the check of a full scan, after each page, of whether this run may read a further page. */
export function createFullScanLimit(run: SyncRunContext): () => Promise<boolean> {
  // The requests before the full scan. Each further run of the day needs about the same number.
  const requestsPerRun = run.requestCount
  const until = performance.now() + maxFullScanTime
  return async () => {
    const { requests: requestsLeft, runs } = await run.readBudget()
    if (requestsLeft <= runs * requestsPerRun || performance.now() > until) return false
    return run.requestCount - requestsPerRun < minFullScanPages || !(await run.hasDueAccount())
  }
}

/**
 * A full scan is due once after its time of the last night, and after a person requests one. `last`: the start of the
 * last complete one.
 */
export async function isFullScanDue(
  { deps, credential, run }: NetworkSyncContext,
  last: string | undefined,
): Promise<boolean> {
  if (last === undefined) return true
  if (run.fullScanRequestedAt !== null && Date.parse(run.fullScanRequestedAt) > Date.parse(last)) return true
  const { start, now } = await findLastNightStart(deps.db, credential.id)
  // A start in the future was stored before the clock was set back.
  return Date.parse(last) < start || Date.parse(last) > now
}

const buildPagingOptions = (
  context: NetworkSyncContext,
  scan: OrdersScan,
  saveScan: () => Promise<void>,
) => ({
  network: context.network,
  list: 'orders' as const,
  cursor: scan.at,
  maxPages: context.description.limits?.max_pages ?? defaultMaxPages,
  shouldPause: () => context.run.shouldPause(),
  async saveCursor(cursor: string | undefined) {
    if (cursor === undefined) delete scan.at
    else scan.at = cursor
    await saveScan()
  },
})

async function storeOrders(
  context: NetworkSyncContext,
  scan: OrdersScan,
  items: unknown[],
): Promise<OrdersPageResult> {
  const { description, run, fetchMissingOffers, requestedAt } = context
  const list = description.orders
  if (list === undefined) return { counts: {}, newest: null, oldest: null }
  const requestTime = requestedAt()
  scan.started_at ??= requestTime.toISOString()
  const { rows } = await countParsedRows(run, parseOrders(description, list, items))
  await fetchMissingOffers(rows)
  const isCorrection = context.memory.has_new_description === true
  const orders = await ingestOrders(context, { orders: rows, requestedAt: requestTime, isCorrection })
  scan.newest = getLatest(scan.newest, toIso(orders.newest))
  const oldestTime = toIso(orders.oldest)
  if (oldestTime !== null && (scan.oldest === null || oldestTime < scan.oldest)) scan.oldest = oldestTime
  return orders
}

const toIso = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString())

const getLatest = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

/**
 * Times in milliseconds. Orders after `knownUntil` may be unknown; leads after `openSince` may not be final. Null means
 * that the scan reads all orders.
 */
async function readScanBounds({
  deps,
  credential,
  memory,
}: NetworkSyncContext): Promise<{ knownUntil: number; openSince: number } | null> {
  const { last_complete_scan: lastScan } = memory
  if ((memory.complete_scans ?? 0) < 2 || lastScan === undefined || lastScan.newest === null) return null
  const oldestOpenLead = await findOldestOpenLead(deps.db, {
    sourceId: credential.source_id,
    userId: credential.user_id,
    since: memory.open_leads_since ?? null,
  })
  const knownUntil = Math.min(Date.parse(lastScan.started_at), Date.parse(lastScan.newest)) - overlap
  return { knownUntil, openSince: oldestOpenLead === null ? Infinity : Date.parse(oldestOpenLead) - overlap }
}

/** The maximum number of requests of this run, so that the day's requests last for all runs of the day. */
async function readRequestAllowance(run: SyncRunContext): Promise<number> {
  const { requests: requestsLeft, runs } = await run.readBudget()
  return run.requestCount + Math.floor(requestsLeft / Math.max(runs, 1))
}

/**
 * Records a gap if the list ended before the newest known order. The network then keeps orders for a shorter time than
 * the account was not synced. Orders in between may be missing, and a person has to check.
 */
async function recordGapIfAny(
  { run }: NetworkSyncContext,
  { oldest, started_at }: OrdersScan,
  knownTime: string | null,
) {
  if (knownTime === null || started_at === null || (oldest !== null && oldest <= knownTime)) return
  await run.recordGap(knownTime, oldest ?? started_at)
}

async function saveOldestOpenLead(
  { deps, credential, memory, run, requestedAt }: NetworkSyncContext,
  since: string | null,
): Promise<void> {
  const oldestOpenLead = await findOldestOpenLead(deps.db, {
    sourceId: credential.source_id,
    userId: credential.user_id,
    since,
  })
  memory.open_leads_since = oldestOpenLead ?? new Date(requestedAt().getTime() - overlap).toISOString()
  await run.saveMemory({ ...memory })
}

/** The query parameter for orders that changed since a day before `since`. The day covers clocks that differ. */
function buildUpdatedSinceQuery(
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
