import type { Db } from '../../platform/database/pool.ts'
import type { Encryption } from '../../platform/security/encryption.ts'
import { isFarAhead } from '../../platform/spreadsheets/spreadsheets.values.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import type { NetworkSyncContext } from './connectors.context.ts'
import type { NetworkOrder } from './connectors.parse.ts'
import { updateToken } from './connectors.account.queries.ts'
import {
  findChangedOrders,
  findCorrectionTimes,
  assignStreamOwner,
  countUnmappedOrders,
  parseTimeRange,
} from './connectors.queries.ts'

export interface OrdersPageResult {
  counts: Record<string, number>
  /** Creation times of the newest and the oldest order of the page that are not days ahead, in milliseconds; null without one. */
  newest: number | null
  oldest: number | null
}

/**
 * Ingests a page of orders as leads. If the network gives no time of change, or one that is days ahead, the time of the
 * request is the time of change of an order that differs from its stored lead. Orders of a network without streams get a
 * stream of the account, so that they belong to the person of the account. `isCorrection`: the description may have changed since the
 * orders were read, so money and a creation time that it reads in another way replace those of the stored lead.
 */
export async function ingestOrders(
  { deps: { db, config }, credential, description, run }: NetworkSyncContext,
  {
    orders,
    requestedAt,
    isCorrection = false,
  }: { orders: readonly NetworkOrder[]; requestedAt: Date; isCorrection?: boolean },
): Promise<OrdersPageResult> {
  if (orders.length === 0) return { counts: {}, newest: null, oldest: null }
  const { id, name, source_id, user_id } = credential
  const fields = description.orders?.fields
  const hasNoStreams = fields?.stream === undefined && fields?.stream_extra_id === undefined
  const ownedOrders = orders.map((order) => ({
    ...order,
    currency: order.currency ?? description.money?.currency ?? null,
    ...(hasNoStreams && { stream: name, stream_extra_id: `account-${id}` }),
  }))
  const { datedOrders = [], undatedOrders = [] } = Object.groupBy(ownedOrders, (order) =>
    fields?.updated_at === undefined || isFarAhead(order.updated_at ?? order.created_at, requestedAt)
      ? 'undatedOrders'
      : 'datedOrders',
  )
  const changedOrders = new Set(await findChangedOrders(db, source_id, undatedOrders))
  const knownOrders = [...datedOrders, ...undatedOrders.filter((order) => !changedOrders.has(order))]
  const correctionTimes = await findCorrectionTimes(db, source_id, isCorrection ? knownOrders : [])
  const storableOrders = [
    ...[...changedOrders].map((order) => ({ ...order, updated_at: requestedAt.toISOString() })),
    ...knownOrders.flatMap((order, at) => {
      const updated_at = correctionTimes.get(at)
      if (updated_at !== undefined) return [{ ...order, updated_at }]
      return at < datedOrders.length ? [order] : []
    }),
  ]
  const leads = storableOrders.map(({ status, currency, ...order }) => ({
    ...order,
    source_status: status,
    currency: currency ?? config.currency,
  }))
  const result = await run.store((trx) =>
    ingestLeads(trx, {
      sourceId: source_id,
      leads,
      streamOwnerId: user_id,
      origin: 'connector',
      reason: name,
    }),
  )
  await run.store((trx) =>
    assignStreamOwner(trx, { sourceId: source_id, userId: user_id, orders: ownedOrders }),
  )
  const times = orders.map((order) => order.created_at)
  const range = await parseTimeRange(
    db,
    times.filter((time) => !isFarAhead(time, requestedAt)),
  )
  return {
    counts: {
      created: result.imported,
      updated: result.updated,
      unchanged: orders.length - result.imported - result.updated,
      unmapped: await countUnmappedOrders(db, source_id, orders),
    },
    newest: range.newest === null ? null : Date.parse(range.newest),
    oldest: range.oldest === null ? null : Date.parse(range.oldest),
  }
}

/** Stores a new token of a network, encrypted. */
export async function saveToken(
  db: Db,
  encryption: Encryption,
  { id, token }: { id: number; token: string },
): Promise<void> {
  const encryptedToken = encryption.encrypt(token, { table: 'source_credentials', row: id, column: 'token' })
  await updateToken(db, id, encryptedToken)
}
