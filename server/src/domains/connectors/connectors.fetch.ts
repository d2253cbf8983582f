import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import {
  NetworkError,
  openNetwork,
  type NetworkList,
  type Send,
} from '../../integrations/cpa-network/cpa-network.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Seal } from '../../platform/security/seal.ts'
import { lockSourceNames } from './source-names.ts'
import { SyncError, type SyncKind, type SyncRun } from '../syncs/syncs.kind.ts'
import { activeCredentials, describe, readCredential, type Fetched } from './connectors.account.ts'
import { allowedHosts, hostProblem } from './connectors.hosts.ts'
import { keepToken, type TakeLeads } from './connectors.orders.ts'
import {
  newReading,
  readAllOrders,
  readRecentOrders,
  usualMaxPages,
  type OrdersOfAccount,
  type Reading,
} from './connectors.readings.ts'
import { amountAt, readable, readOffers, readStreams } from './connectors.rows.ts'
import { offerFinder, type FindOffers } from './connectors.offers.ts'
import { storeOffers, storeStreams } from './connectors.store.ts'
import { walkList } from './connectors.walk.ts'

/** What a kill leaves for the next run: lists that are done, where the present one stood, and the orders' reading. */
interface Progress {
  done: NetworkList[]
  list?: NetworkList
  at?: string
  orders?: Reading
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

/**
 * CPA networks: signs in with each active source credential and brings its offers, streams, orders and money
 * up to date. Each run reads the recent orders; once a day all of them are read, in pieces.
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
  const problem = hostProblem(await allowedHosts(db, credential), description)
  if (problem !== null) throw new SyncError('sign_in', problem)
  const send = given.send(run.signal)
  let requestedAt = new Date(0)
  const network = openNetwork({
    description,
    account: credential.account,
    signal: run.signal,
    signedIn: (token) => keepToken(db, seal, id, token),
    send: async (request) => {
      requestedAt = await run.request()
      await run.count({ requests: 1 })
      return send(request)
    },
  })
  const progress: Progress = { done: [], ...run.progress }
  const findOffers = offerFinder(db, credential.source_id, description, network, (offers) =>
    run.count({ offers }),
  )
  const walks: Record<'offers' | 'streams', (items: unknown[]) => Promise<boolean>> = {
    offers: (items) => takeOffers(given, credential, description, items, run),
    streams: (items) => takeStreams(given, credential, description, items, run, findOffers),
  }
  // Offers and streams first: orders then find theirs.
  for (const list of ['offers', 'streams'] as const) {
    if (progress.done.includes(list) || description[list] === undefined) continue
    await part(run, list, async () => {
      await walkList({
        network,
        list,
        at: progress.list === list ? progress.at : undefined,
        maxPages: description.manners?.max_pages ?? usualMaxPages,
        beforePage: (page) => run.phase(page === 1 ? list : `${list}, page ${page}`),
        storePage: walks[list],
        savePlace: (at) => run.saveProgress({ ...progress, list, ...(at !== undefined && { at }) }),
      })
      progress.done.push(list)
    })
  }
  const account: OrdersOfAccount = {
    fetching: given,
    credential,
    description,
    network,
    run,
    findOffers,
    memory: { ...run.memory },
    requestedAt: () => requestedAt,
  }
  if (description.orders !== undefined && !progress.done.includes('orders'))
    await part(run, 'orders', async () => {
      const reading = (progress.orders ??= newReading())
      const whole = await readRecentOrders(account, reading, () => run.saveProgress(progress))
      if (whole) progress.done.push('orders')
      else run.keepProgress()
    })
  await part(run, 'finance', async () => {
    const answer = await network.finance()
    if (answer === null) return
    const at = (what: 'balance' | 'hold') => amountAt(description, answer, description.finance?.fields[what])
    await run.money(at('balance'), at('hold'))
  })
  if (progress.done.includes('orders')) await part(run, 'all orders', () => readAllOrders(account))
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
