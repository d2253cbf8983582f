import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
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
import { buildOrigin, readMemory } from './connectors.memory.ts'
import { createMissingOffersFetch } from './connectors.offers.ts'
import { storeOffers, storeStreams } from './connectors.queries.ts'
import { createNetworkSend } from './connectors.send.ts'
import { readPages } from './connectors.paging.ts'

/**
 * The progress that an interrupted run leaves for the next one: the finished lists, the cursor of `list`, and the scan of the
 * recent orders that is not complete.
 */
interface Progress {
  /** The progress is that of this origin alone; see `buildOrigin`. */
  origin: string
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
  const { description, origin } = context
  const progress: Progress = { done: [], ...(run.progress?.origin === origin && run.progress), origin }
  const runPart = createPartRunner(run)
  // Offers and streams come before orders, because orders refer to them.
  let isPaused = false
  for (const list of ['offers', 'streams'] as const) {
    if (isPaused || progress.done.includes(list) || description[list] === undefined) continue
    await runPart(list, async () => {
      isPaused = !(await readReferences(context, progress, list))
    })
  }
  let isScanComplete = false
  if (description.orders !== undefined)
    await runPart('orders', async () => {
      const scan = (progress.orders ??= createScan())
      isScanComplete = await scanRecentOrders(context, scan, () => run.saveProgress(progress))
      if (!isScanComplete) return run.keepProgress()
      // A run that continues another list begins at the newest orders.
      delete progress.orders
      await run.saveProgress(progress)
    })
  for (const list of moneyLists) await runPart(list, () => scanMoney(context, list))
  await runPart('finance', () => readBalance(context))
  if (isScanComplete) await runPart('all_orders', () => scanAllOrders(context))
}

/** Opens the network of a credential. Throws {@link SyncError} if it cannot be used. */
async function openContext(
  deps: NetworkSyncDeps,
  id: number,
  run: SyncRunContext,
): Promise<NetworkSyncContext> {
  const { db, encryption } = deps
  const credential = await readCredential(db, encryption, id).catch(() => {
    throw new SyncError('sign_in', describeSync('sync_secrets_encrypted'))
  })
  if (credential === null) throw new SyncError('failed', describeSync('sync_connector_missing'))
  const resolution = await resolveDescription(db, credential.website)
  if ('problem' in resolution) throw new SyncError('failed', resolution.problem)
  const { description } = resolution
  const origin = buildOrigin(credential, description)
  const problem = findHostProblem(await findAllowedHosts(db, credential), description)
  if (problem !== null) throw new SyncError('sign_in', problem)
  const send = createNetworkSend(deps.outgoing, description, run.signal)
  let requestedAt = new Date(0)
  const network = openNetwork({
    description,
    account: credential.account,
    signal: run.signal,
    saveToken: (token) => run.store((trx) => saveToken(trx, encryption, { id, token })),
    send: async (request) => {
      requestedAt = await run.countRequest()
      await run.addCounts({ requests: 1 })
      return send(request)
    },
  })
  const fetchMissingOffers = createMissingOffersFetch({
    db,
    run,
    sourceId: credential.source_id,
    description,
    network,
  })
  return {
    deps,
    credential,
    description,
    origin,
    network,
    run,
    fetchMissingOffers,
    memory: readMemory(run.memory, credential, origin),
    requestedAt: () => requestedAt,
  }
}

const storePage = { offers: storeOffersPage, streams: storeStreamsPage }

/**
 * Reads a list that orders refer to, from the page where the last run was interrupted. Answers false if the next run
 * continues.
 */
async function readReferences(
  context: NetworkSyncContext,
  progress: Progress,
  list: 'offers' | 'streams',
): Promise<boolean> {
  const { network, description, run } = context
  const end = await readPages({
    network,
    list,
    cursor: progress.list === list ? progress.at : undefined,
    maxPages: description.limits?.max_pages ?? defaultMaxPages,
    shouldPause: () => run.shouldPause(),
    beforePage: (page) => run.setPart(list, page),
    storePage: (items) => storePage[list](context, items),
    saveCursor: async (cursor) => {
      progress.list = list
      if (cursor === undefined) delete progress.at
      else progress.at = cursor
      await run.saveProgress(progress)
    },
  })
  if (end === 'paused' || end === 'limit') {
    run.keepProgress()
    return false
  }
  progress.done.push(list)
  return true
}

/** Saves the amounts that the network reports; null for one that it does not report. */
async function readBalance({ network, description, run }: NetworkSyncContext): Promise<void> {
  const answer = await network.fetchFinance()
  if (answer === null) return
  const parse = (field: 'balance' | 'hold') =>
    parseAmountAt(description, answer, description.finance?.fields[field])
  await run.saveBalance(parse('balance'), parse('hold'))
}

/** Parts that time out before any answer of the network, after which the run ends. Each of them takes half a minute. */
const maxSilentParts = 2

/** Creates the function that runs the parts of a run. A {@link NetworkError} becomes a {@link SyncError}. */
function createPartRunner(run: SyncRunContext): SyncRunContext['runPart'] {
  let hasAnswered = false
  let silentParts = 0
  return (name, work) =>
    run.runPart(name, async () => {
      const requestsBefore = run.requestCount
      try {
        await work()
        hasAnswered ||= run.requestCount > requestsBefore
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        if (error.isTimeout) silentParts += 1
        else hasAnswered = true
        const isSilent = !hasAnswered && silentParts === maxSilentParts
        throw new SyncError(isSilent ? 'silent' : error.kind, error.reason, { seconds: error.seconds })
      }
    })
}

async function storeOffersPage(
  { credential: { source_id }, description, run }: NetworkSyncContext,
  items: unknown[],
): Promise<boolean> {
  if (description.offers === undefined) return false
  const { rows } = await countParsedRows(run, parseOffers(description, description.offers, items))
  const changedCount = await run.store(async (trx) => {
    await lockReferences(trx, source_id)
    return storeOffers(trx, source_id, rows)
  })
  await run.addCounts({ offers: changedCount })
  return true
}

async function storeStreamsPage(
  { credential: { source_id, user_id }, description, run, fetchMissingOffers }: NetworkSyncContext,
  items: unknown[],
): Promise<boolean> {
  if (description.streams === undefined) return false
  const { rows } = await countParsedRows(run, parseStreams(description.streams, items))
  await fetchMissingOffers(rows)
  const changedCount = await run.store(async (trx) => {
    await lockReferences(trx, source_id)
    return storeStreams(trx, { sourceId: source_id, userId: user_id, streams: rows })
  })
  await run.addCounts({ streams: changedCount })
  return true
}
