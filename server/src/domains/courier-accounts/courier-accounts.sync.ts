import type { SyncPart } from '@karvon/contract/lib/sync-health.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { isDeepStrictEqual } from 'node:util'
import { CourierError, CourierTimeout } from '../../integrations/measoft/measoft.error.ts'
import { openMeasoft, type CourierOrder, type Measoft } from '../../integrations/measoft/measoft.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Encryption } from '../../platform/security/encryption.ts'
import { SyncError, type SyncKind, type SyncRunContext } from '../syncs/syncs.kind.ts'
import { assignStoredOwners } from '../parcels/parcels.accounts.queries.ts'
import { keepKnownStatusTimes } from '../parcels/parcels.find.queries.ts'
import { ingestParcels } from '../parcels/parcels.ingest.ts'
import type { ParcelEventInput } from '../parcels/parcels.types.ts'
import { areActsDue, fetchActs } from './courier-accounts.acts.ts'
import {
  activeCourierAccounts,
  findActiveCourierAccounts,
  readCourierAccount,
  readRequestedDay,
  removeRequestedDay,
} from './courier-accounts.queries.ts'
import { waitForCourierSlot } from './courier-accounts.rate-limit.ts'
import { parseCourierOrders } from './courier-accounts.parse.ts'
import { createCourierPost } from './courier-accounts.send.ts'

type CourierSyncDeps = Pick<Deps, 'db' | 'encryption' | 'outgoing' | 'config'>

/**
 * Milliseconds between two requests of the whole installation. This gives 70 requests a minute and 1,411 in 20 minutes.
 * The vendor allows an IP address 150 and 1,500, and blocks it for hours after more. Another request follows each
 * request with ONLY_LAST, so there are at most 2,117 such requests an hour. The vendor allows an account 3,000.
 */
const defaultRequestInterval = 850
/** Maximum number of batches in one run. The next run continues. */
const maxBatches = 500
/** Equal answers in a row after which a run ends. A single one follows a commit that was lost. */
const maxRepeats = 3
/** Events in one transaction. One order may have more. */
const batchSize = 1000

/**
 * Syncs the accounts at the courier. A run fetches the orders that changed since the last commit, stores them, and then
 * commits. The courier sends orders that were stored but not committed again, which changes nothing. After them it fetches the
 * orders of the days that a person requested, and the settlement acts once an hour and in a run that a person requested.
 * `requestInterval` and `interval` are in milliseconds.
 */
export function createCourierSync(
  deps: CourierSyncDeps,
  requestInterval = defaultRequestInterval,
  interval = 5 * 60_000,
): SyncKind {
  return {
    column: 'courier_account_id',
    interval,
    dailyRequests: 60_000,
    isExclusive: true,
    activeAccounts: activeCourierAccounts,
    findActiveAccounts: findActiveCourierAccounts,
    run: (account, run) => fetchAccount(deps, { requestInterval, id: account, run }),
  }
}

async function fetchAccount(
  { db, encryption, outgoing, config: { currency } }: CourierSyncDeps,
  { requestInterval, id, run }: { requestInterval: number; id: number; run: SyncRunContext },
): Promise<void> {
  const row = await readCourierAccount(db, id)
  if (row === undefined) throw new SyncError('failed', describeSync('sync_account_missing'))
  const post = createCourierPost(outgoing, run.signal)
  let requestedAt = new Date(0)
  const courier = openMeasoft(
    {
      url: row.url,
      extra: row.extra ?? '',
      login: row.login,
      pass: decryptPassword(encryption, id, row.pass),
    },
    async (url, xml) => {
      requestedAt = await run.countRequest()
      await waitForCourierSlot(db, requestInterval, run.signal)
      await run.addCounts({ requests: 1 })
      return post(url, xml)
    },
  )
  try {
    const services = await fetchServiceNames(courier)
    const sync: OrderSync = {
      courier,
      accountId: id,
      ownerId: row.user_id,
      services,
      run,
      requestedAt: () => requestedAt,
    }
    const runPart = (part: SyncPart, work: () => Promise<void>) =>
      run.runPart(part, () => work().catch(rethrowAsSyncError))
    await fetchChangedOrders(db, sync)
    await runPart('requested_parcels', () => fetchRequestedOrders(db, sync))
    if (areActsDue(run, requestedAt))
      await runPart('acts', () => fetchActs(db, { accountId: id, currency, courier, run }, requestedAt))
  } catch (error) {
    rethrowAsSyncError(error)
  }
}

function rethrowAsSyncError(error: unknown): never {
  throw error instanceof CourierError ? new SyncError('failed', error.reason) : error
}

interface OrderSync {
  courier: Measoft
  accountId: number
  ownerId: number
  /** The names of services by their codes. */
  services: ReadonlyMap<string, string>
  run: SyncRunContext
  /** The time of the last request. */
  requestedAt: () => Date
}

/** Without the names, parcels show the codes of their services. */
async function fetchServiceNames(courier: Measoft): Promise<Map<string, string>> {
  try {
    return await courier.fetchServices()
  } catch (error) {
    if (error instanceof CourierError && !(error instanceof CourierTimeout)) return new Map()
    throw error
  }
}

async function fetchChangedOrders(db: Db, sync: OrderSync): Promise<void> {
  const { courier, run } = sync
  let repeats = 0
  let previousOrders: CourierOrder[] = []
  for (let batch = 1; batch <= maxBatches; batch++) {
    await run.setPart('parcels', batch)
    const orders = await courier.fetchChanges()
    if (orders.length === 0) return
    repeats = isDeepStrictEqual(orders, previousOrders) ? repeats + 1 : 0
    if (repeats === maxRepeats) throw new SyncError('failed', describeSync('courier_same_orders'))
    previousOrders = orders
    await storeOrders(db, sync, orders)
    await courier.commitChanges()
    if (await run.shouldPause()) return
  }
}

/** Fetches the orders of the requested days, one day in a request. A day that fails is requested again by the next run. */
async function fetchRequestedOrders(db: Db, sync: OrderSync): Promise<void> {
  const { accountId, courier, run } = sync
  for (let page = 1; ; page++) {
    const day = await readRequestedDay(db, accountId)
    if (day === null) return
    await run.setPart('requested_parcels', page)
    await storeOrders(db, sync, await courier.fetchCreatedOrders(day, day))
    await removeRequestedDay(db, accountId, day)
    if (await run.shouldPause()) return
  }
}

async function storeOrders(
  db: Db,
  { accountId, ownerId, services, run, requestedAt }: OrderSync,
  orders: readonly CourierOrder[],
): Promise<void> {
  const parsedOrders = await parseCourierOrders(orders, { ownerId, services, receivedAt: requestedAt() })
  const { problems, undatedEvents } = parsedOrders
  const ownedEvents = (await assignStoredOwners(db, accountId, undatedEvents)) ?? undatedEvents
  const events = [...parsedOrders.events, ...(await keepKnownStatusTimes(db, ownedEvents))]
  if (problems.length > 0)
    run.log.warn({ problems: problems.slice(0, 20) }, 'The courier sent parcels that cannot be parsed')
  const counts = {
    rows: orders.length,
    created: 0,
    updated: 0,
    unchanged: 0,
    unreadable: problems.length,
  }
  for (const orderBatch of splitByOrder(events)) {
    const result = await run.store((trx) => ingestParcels(trx, orderBatch, accountId))
    counts.created += result.imported
    counts.updated += result.updated
    counts.unchanged += result.unchanged
  }
  await run.addCounts(counts)
}

/**
 * Splits events into batches, each with all events of its orders. Otherwise the first batch could show a status that the
 * order had before, and apply it to the lead.
 */
function splitByOrder(events: readonly ParcelEventInput[]): ParcelEventInput[][] {
  const batches: ParcelEventInput[][] = []
  let lastBatch: ParcelEventInput[] = []
  for (const orderEvents of Map.groupBy(events, ({ orderno }) => orderno).values()) {
    if (lastBatch.length === 0 || lastBatch.length + orderEvents.length > batchSize) {
      lastBatch = []
      batches.push(lastBatch)
    }
    lastBatch.push(...orderEvents)
  }
  return batches
}

function decryptPassword(encryption: Encryption, id: number, encryptedPassword: string | null): string {
  if (encryptedPassword === null) return ''
  try {
    return encryption.decrypt(encryptedPassword, { table: 'courier_accounts', row: id, column: 'pass' })
  } catch {
    throw new SyncError('sign_in', describeSync('sync_password_encrypted'))
  }
}
