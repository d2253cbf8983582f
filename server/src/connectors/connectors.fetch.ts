import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import {
  NetworkError,
  openNetwork,
  type Network,
  type NetworkList,
  type Send,
} from '../clients/cpa-network.ts'
import type { Db } from '../db/pool.ts'
import type { Seal } from '../kit/seal.ts'
import { lockSourceNames } from '../kit/source-names.ts'
import { SyncError, type SyncKind, type SyncRun } from '../kit/syncs/syncs.kind.ts'
import { activeCredentials, describe, readCredential, type Fetched } from './connectors.account.ts'
import { keepToken, takeOrders, type TakeLeads } from './connectors.orders.ts'
import { amountAt, readOffers, readOrders, readStreams, type ReadRows } from './connectors.rows.ts'
import { offerFinder, type FindOffers } from './connectors.offers.ts'
import { oldestOpen, storeOffers, storeStreams } from './connectors.store.ts'

/** What a kill leaves for the next run: lists that are done, and where the present one stood. */
interface Progress {
  done: NetworkList[]
  list?: NetworkList
  at?: string
  [key: string]: unknown
}

export interface Fetching {
  db: Db
  seal: Seal
  /** How a request leaves the house. */
  send: (signal: AbortSignal) => Send
  take: TakeLeads
  currency: string
}

/** Milliseconds: how far behind the oldest lead that can still move a run looks. */
const overlap = 24 * 3600_000
const usualMaxPages = 20_000

/**
 * CPA networks: signs in with each active source credential and brings its offers, streams, orders and money
 * up to date. The first two runs read every order, since what moved between pages while the first one read may
 * have escaped it; later ones read back to 24 hours before the oldest lead that can still move.
 */
export function networkSync(given: Fetching, every = 5 * 60_000): SyncKind {
  return {
    column: 'source_credential_id',
    every,
    dailyRequests: 20_000,
    single: false,
    active: activeCredentials,
    run: (id, run) => fetchCredential(given, id, run),
  }
}

async function fetchCredential(given: Fetching, id: number, run: SyncRun): Promise<void> {
  const { db, seal } = given
  const credential = await readCredential(db, seal, id).catch(() => {
    throw new SyncError('sign_in', 'The stored secrets cannot be opened: they were sealed with another key.')
  })
  if (credential === null)
    throw new SyncError('trouble', 'No CPA credential of the source names a connector.')
  const described = await describe(db, credential.website)
  if ('problem' in described) throw new SyncError('trouble', described.problem)
  const { description } = described
  const send = given.send(run.signal)
  const network = openNetwork({
    description,
    account: credential.account,
    signal: run.signal,
    signedIn: (token) => keepToken(db, seal, id, token),
    send: async (request) => {
      await run.request()
      await run.count({ requests: 1 })
      return send(request)
    },
  })
  const progress: Progress = { done: [], ...run.progress }
  const find = offerFinder(db, credential.source_id, description, network, (offers) => run.count({ offers }))
  const lists: Record<NetworkList, (items: unknown[]) => Promise<boolean>> = {
    offers: (items) => takeOffers(given, credential, description, items, run),
    streams: (items) => takeStreams(given, credential, description, items, run, find),
    orders: await orderTaker(given, credential, description, run, find),
  }
  // Offers and streams first: orders then find theirs.
  for (const list of ['offers', 'streams', 'orders'] as const) {
    if (progress.done.includes(list) || description[list] === undefined) continue
    await part(run, list, async () => {
      await walk(network, list, description, progress, run, lists[list])
      progress.done.push(list)
    })
  }
  await part(run, 'finance', async () => {
    const answer = await network.finance()
    if (answer === null) return
    const at = (what: 'balance' | 'hold') => amountAt(description, answer, description.finance?.fields[what])
    await run.money(at('balance'), at('hold'))
  })
  if (progress.done.includes('orders')) await rememberRun(given, credential, run)
}

/** Reads pages until there are no more, or `take` says that the rest is known; keeps where it stands. */
async function walk(
  network: Network,
  list: NetworkList,
  description: ConnectorDescription,
  progress: Progress,
  run: SyncRun,
  take: (items: unknown[]) => Promise<boolean>,
): Promise<void> {
  const maxPages = description.manners?.max_pages ?? usualMaxPages
  let at = progress.list === list ? progress.at : undefined
  for (let pages = 1; ; pages++) {
    await run.phase(at === undefined || pages === 1 ? list : `${list}, page ${pages}`)
    const page = await network.page(list, at)
    const more = await take(page.items)
    if (page.next === null || !more || pages >= maxPages) return
    at = page.next
    await run.saveProgress({ ...progress, list, at })
  }
}

/** A part of a run, its trouble in the engine's words. */
const part = (run: SyncRun, name: string, work: () => Promise<void>) =>
  run.part(name, async () => {
    try {
      await work()
    } catch (error) {
      throw error instanceof NetworkError ? new SyncError(error.kind, error.message, error.seconds) : error
    }
  })

async function takeOffers(
  { db }: Fetching,
  { source_id }: Fetched,
  description: ConnectorDescription,
  items: unknown[],
  run: SyncRun,
): Promise<boolean> {
  if (description.offers === undefined) return false
  const { rows } = await readable(run, readOffers(description, description.offers, items))
  const changed = await db.transaction().execute(async (trx) => {
    await lockSourceNames(trx, source_id)
    return storeOffers(trx, source_id, rows)
  })
  await run.count({ offers: changed })
  return true
}

async function takeStreams(
  { db }: Fetching,
  { source_id, user_id }: Fetched,
  description: ConnectorDescription,
  items: unknown[],
  run: SyncRun,
  find: FindOffers,
): Promise<boolean> {
  if (description.streams === undefined) return false
  const { rows } = await readable(run, readStreams(description.streams, items))
  await find(rows)
  const changed = await db.transaction().execute(async (trx) => {
    await lockSourceNames(trx, source_id)
    return storeStreams(trx, source_id, user_id, rows)
  })
  await run.count({ streams: changed })
  return true
}

async function orderTaker(
  given: Fetching,
  credential: Fetched,
  description: ConnectorDescription,
  run: SyncRun,
  find: FindOffers,
): Promise<(items: unknown[]) => Promise<boolean>> {
  const list = description.orders
  if (list === undefined) return async () => false
  const bound = list.newest_first === false ? null : await boundOf(given, credential, run)
  return async (items) => {
    const asked = new Date()
    const { rows } = await readable(run, readOrders(description, list, items))
    await find(rows)
    const orders = await takeOrders(given, credential, description, rows, asked)
    await run.count(orders.counts)
    // A page on which nothing could be read says nothing of where it stands.
    return bound === null || orders.newest === null || orders.newest >= bound
  }
}

/** Milliseconds of the moment before which everything is known and final; null while all is to be read. */
async function boundOf(
  { db }: Fetching,
  { source_id, user_id }: Fetched,
  run: SyncRun,
): Promise<number | null> {
  if (Number(run.memory.whole_runs ?? 0) < 2) return null
  const since = typeof run.memory.open_since === 'string' ? run.memory.open_since : null
  const oldest = await oldestOpen(db, source_id, user_id, since)
  return (oldest === null ? Date.now() : Date.parse(oldest)) - overlap
}

async function rememberRun({ db }: Fetching, { source_id, user_id }: Fetched, run: SyncRun): Promise<void> {
  const since = typeof run.memory.open_since === 'string' ? run.memory.open_since : null
  const oldest = await oldestOpen(db, source_id, user_id, since)
  await run.remember({
    whole_runs: Math.min(Number(run.memory.whole_runs ?? 0) + 1, 2),
    open_since: oldest ?? new Date(Date.now() - overlap).toISOString(),
  })
}

async function readable<Row>(run: SyncRun, read: ReadRows<Row>): Promise<ReadRows<Row>> {
  const [first] = read.problems
  await run.count({
    rows: read.rows.length + read.problems.length,
    ...(first !== undefined && { unreadable: read.problems.length }),
  })
  if (first !== undefined)
    run.log.warn({ problems: read.problems.slice(0, 20) }, 'Rows of a network that cannot be read')
  return read
}
