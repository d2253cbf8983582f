import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

/** What CPA networks usually call a lead's state, by the report column that it is to us. */
const usualWords: Readonly<Record<string, readonly string[]>> = {
  accepted: ['order', 'accepted', 'filling', 'preparing', 'booked'],
  recall: ['recycling', 'callback', 'on_argue'],
  send: ['sent'],
  sold: ['sold', 'delivered', 'completed'],
  returned: ['client_returned'],
  cancel: ['cancelled', 'canceled', 'trash', 'spam', 'not_sold', 'product_out_of_stock', 'archived'],
  hold: ['hold', 'pending'],
}

/**
 * Maps the usual words of a new source to the oldest active status of their column; words that the source
 * has already, and columns that have no status, are left alone. `new`, `request` and `not_delivered` stay
 * unmapped: they say nothing final.
 */
export async function seedWords(trx: Db, sourceId: number): Promise<void> {
  const pairs = Object.entries(usualWords).flatMap(([code, words]) => words.map((word) => ({ code, word })))
  await sql`
    insert into source_statuses (name, source_name, status_id, source_id)
    select u.word, u.word, s.id, ${sourceId}
    from unnest(${pairs.map(({ code }) => code)}::text[], ${pairs.map(({ word }) => word)}::text[])
      with ordinality as u (code, word, at)
    cross join lateral (
      select statuses.id from statuses join status_types on status_types.id = statuses.type_id
      where status_types.code = u.code and statuses.is_active order by statuses.id limit 1
    ) s
    order by u.at
    on conflict do nothing`.execute(trx)
}
