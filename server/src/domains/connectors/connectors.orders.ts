import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Seal } from '../../platform/security/seal.ts'
import type { Fetched } from './connectors.account.ts'
import type { NetworkOrder } from './connectors.rows.ts'
import { changedOrders, ownStreams, unmappedOf } from './connectors.store.ts'

/** A lead as the intake takes it. */
interface Told extends Omit<NetworkOrder, 'status' | 'payout' | 'currency'> {
  word: string
  payout: string
  currency: string
}

/** The one intake for leads, handed in. */
export type TakeLeads = (
  db: Db,
  sourceId: number,
  leads: readonly Told[],
  from: { origin: 'connector'; reason: string },
) => Promise<{ imported: number; updated: number; unchanged: number }>

export interface TakenOrders {
  counts: Record<string, number>
  /** Milliseconds of the newest and the oldest order of the page; null of an empty page. */
  newest: number | null
  oldest: number | null
}

/**
 * Takes a page of orders in. Where the network does not say when an order changed, a difference to what is
 * stored counts as of the moment when the page was asked for. Orders of a network without streams go to a
 * stream of the account, so that they are its person's.
 */
export async function takeOrders(
  given: { db: Db; take: TakeLeads; currency: string },
  credential: Fetched,
  description: ConnectorDescription,
  orders: readonly NetworkOrder[],
  asked: Date,
): Promise<TakenOrders> {
  if (orders.length === 0) return { counts: {}, newest: null, oldest: null }
  const { db } = given
  const { id, name, source_id, user_id } = credential
  const fields = description.orders?.fields
  const streamless = fields?.stream === undefined && fields?.stream_extra_id === undefined
  const owned = streamless
    ? orders.map((order) => ({ ...order, stream: name, stream_extra_id: `account-${id}` }))
    : orders
  const dated = fields?.updated_at !== undefined
  const news = dated ? owned : await changedOrders(db, source_id, owned)
  const told = news.map(({ status, payout, currency, ...order }) => ({
    ...order,
    word: status,
    payout: payout ?? '0',
    currency: currency ?? description.money?.currency ?? given.currency,
    updated_at: dated ? order.updated_at : asked.toISOString(),
  }))
  const taken = await given.take(db, source_id, told, { origin: 'connector', reason: name })
  await ownStreams(db, source_id, user_id, owned)
  const { rows } = await sql<{ newest: string; oldest: string }>`
    select max(at::timestamptz) as newest, min(at::timestamptz) as oldest from unnest(${orders.map((o) => o.created_at)}::text[]) at`.execute(
    db,
  )
  return {
    counts: {
      created: taken.imported,
      updated: taken.updated,
      unchanged: orders.length - taken.imported - taken.updated,
      unmapped: await unmappedOf(db, source_id, orders),
    },
    newest: rows[0] === undefined ? null : Date.parse(rows[0].newest),
    oldest: rows[0] === undefined ? null : Date.parse(rows[0].oldest),
  }
}

/** Keeps a network's new token, sealed. */
export async function keepToken(db: Db, seal: Seal, id: number, token: string): Promise<void> {
  const sealed = seal.seal(token, { table: 'source_credentials', row: id, column: 'token' })
  await db
    .updateTable('source_credentials')
    .set({ token: sealed, token_updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
