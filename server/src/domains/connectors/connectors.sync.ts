import { NetworkError } from '../../integrations/cpa-network/cpa-network.error.ts'
import { openNetwork, type NetworkList } from '../../integrations/cpa-network/cpa-network.ts'
import { lockReferences } from '../leads/leads.references.queries.ts'
import { SyncError, type SyncKind, type SyncRunContext } from '../syncs/syncs.kind.ts'
import { resolveDescription, readCredential } from './connectors.account.ts'
import { activeCredentials, findActiveCredentials } from './connectors.account.queries.ts'
import { defaultMaxPages, type NetworkSyncContext, type NetworkSyncDeps } from './connectors.context.ts'
import { findAllowedHosts, findHostProblem } from './connectors.hosts.ts'
import { saveToken } from './connectors.orders.ts'
import { createScan, scanAllOrders, scanRecentOrders, type OrdersScan } from './connectors.scans.ts'
import { parseAmountAt, countParsedRows, parseOffers, parseStreams } from './connectors.parse.ts'
import { moneyLists, scanMoney } from './connectors.money.ts'
import { createMissingOffersFetch } from './connectors.offers.ts'
import { storeOffers, storeStreams } from './connectors.queries.ts'
import { createNetworkSend } from './connectors.send.ts'
import { readPages } from './connectors.paging.ts'

/** The progress that an interrupted run leaves for the next one: finished lists, the cursor of `list`, the orders scan. */
interface Progress {
  done: NetworkList[]
  list?: NetworkList
  at?: string
  orders?: OrdersScan
  [key: string]: unknown
}

/**
 * Syncs CPA networks. A run signs in with a source credential and updates its offers, streams, orders and balance. Each
 * run reads the recent orders. Once a day the runs read all orders, in several pieces. `interval` is in milliseconds.
 */
export function createNetworkSync(deps: NetworkSyncDeps, interval = 5 * 60_000): SyncKind {
  return {
    column: 'source_credential_id',
    interval,
    dailyRequests: 20_000,
    isExclusive: false,
    activeAccounts: activeCredentials,
    findActiveAccounts: findActiveCredentials,
    run: (id, run) => syncCredential(deps, id, run),
  }
}

async function syncCredential(deps: NetworkSyncDeps, id: number, run: SyncRunContext): Promise<void> {
  const context = await openContext(deps, id, run)
  const { description } = context
  const progress: Progress = { done: [], ...run.progress }
  // Offers and streams come before orders, because orders refer to them.
  for (const list of ['offers', 'streams'] as const) {
    if (!progress.done.includes(list) && description[list] !== undefined)
      await runPart(run, list, () => readReferences(context, progress, list))
  }
  if (description.orders !== undefined && !progress.done.includes('orders'))
    await runPart(run, 'orders', async () => {
      const scan = (progress.orders ??= createScan())
      const isComplete = await scanRecentOrders(context, scan, () => run.saveProgress(progress))
      if (isComplete) progress.done.push('orders')
      else run.keepProgress()
    })
  for (const list of moneyLists) await runPart(run, list, () => scanMoney(context, list))
  await runPart(run, 'finance', () => readBalance(context))
  if (progress.done.includes('orders')) await runPart(run, 'all orders', () => scanAllOrders(context))
}

/** Opens the network of a credential. Throws {@link SyncError} if it cannot be used. */
async function openContext(
  deps: NetworkSyncDeps,
  id: number,
  run: SyncRunContext,
): Promise<NetworkSyncContext> {
  const { db, encryption } = deps
  const credential = await readCredential(db, encryption, id).catch(() => {
    throw new SyncError(
      'sign_in',
      'The stored secrets cannot be decrypted: they were encrypted with another key.',
    )
  })
  if (credential === null) throw new SyncError('failed', 'No CPA credential of the source names a connector.')
  const resolution = await resolveDescription(db, credential.website)
  if ('problem' in resolution) throw new SyncError('failed', resolution.problem.message)
  const { description } = resolution
  const problem = findHostProblem(await findAllowedHosts(db, credential), description)
  if (problem !== null) throw new SyncError('sign_in', problem.message)
  const send = createNetworkSend(deps.outgoing, run.signal)
  let requestedAt = new Date(0)
  const network = openNetwork({
    description,
    account: credential.account,
    signal: run.signal,
    saveToken: (token) => saveToken(db, encryption, { id, token }),
    send: async (request) => {
      requestedAt = await run.countRequest()
      await run.addCounts({ requests: 1 })
      return send(request)
    },
  })
  const fetchMissingOffers = createMissingOffersFetch({
    db,
    sourceId: credential.source_id,
    description,
    network,
    countStored: (offers) => run.addCounts({ offers }),
  })
  return {
    deps,
    credential,
    description,
    network,
    run,
    fetchMissingOffers,
    memory: { ...run.memory },
    requestedAt: () => requestedAt,
  }
}

const storePage = { offers: storeOffersPage, streams: storeStreamsPage }

/** Reads a list that orders refer to, from the page where the last run was interrupted. */
async function readReferences(
  context: NetworkSyncContext,
  progress: Progress,
  list: 'offers' | 'streams',
): Promise<void> {
  const { network, description, run } = context
  await readPages({
    network,
    list,
    cursor: progress.list === list ? progress.at : undefined,
    maxPages: description.limits?.max_pages ?? defaultMaxPages,
    beforePage: (page) => run.setPhase(page === 1 ? list : `${list}, page ${page}`),
    storePage: (items) => storePage[list](context, items),
    saveCursor: (cursor) =>
      run.saveProgress({ ...progress, list, ...(cursor !== undefined && { at: cursor }) }),
  })
  progress.done.push(list)
}

/** Saves the amounts that the network reports; null for one that it does not report. */
async function readBalance({ network, description, run }: NetworkSyncContext): Promise<void> {
  const answer = await network.fetchFinance()
  if (answer === null) return
  const parse = (field: 'balance' | 'hold') =>
    parseAmountAt(description, answer, description.finance?.fields[field])
  await run.saveBalance(parse('balance'), parse('hold'))
}

/** Runs a part of a run. A {@link NetworkError} becomes a {@link SyncError}. */
const runPart = (run: SyncRunContext, name: string, work: () => Promise<void>) =>
  run.runPart(name, async () => {
    try {
      await work()
    } catch (error) {
      throw error instanceof NetworkError ? new SyncError(error.kind, error.message, error.seconds) : error
    }
  })

async function storeOffersPage(
  { deps: { db }, credential: { source_id }, description, run }: NetworkSyncContext,
  items: unknown[],
): Promise<boolean> {
  if (description.offers === undefined) return false
  const { rows } = await countParsedRows(run, parseOffers(description, description.offers, items))
  const changedCount = await db.transaction().execute(async (trx) => {
    await lockReferences(trx, source_id)
    return storeOffers(trx, source_id, rows)
  })
  await run.addCounts({ offers: changedCount })
  return true
}

async function storeStreamsPage(
  {
    deps: { db },
    credential: { source_id, user_id },
    description,
    run,
    fetchMissingOffers,
  }: NetworkSyncContext,
  items: unknown[],
): Promise<boolean> {
  if (description.streams === undefined) return false
  const { rows } = await countParsedRows(run, parseStreams(description.streams, items))
  await fetchMissingOffers(rows)
  const changedCount = await db.transaction().execute(async (trx) => {
    await lockReferences(trx, source_id)
    return storeStreams(trx, { sourceId: source_id, userId: user_id, streams: rows })
  })
  await run.addCounts({ streams: changedCount })
  return true
}
