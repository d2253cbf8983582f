import type { ReportColumn } from '@karvon/contract/lib/report-columns.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { statusOf } from './leads.mapping.queries.ts'

/**
 * What CPA networks usually call a lead's state, by the report column that it is to us; `also` is what
 * networks on Affise send for it in postbacks.
 */
const usualWords: Readonly<Record<ReportColumn, readonly (string | { word: string; also: string })[]>> = {
  accepted: ['order', 'accepted', 'filling', 'preparing', 'booked', { word: 'approved', also: '1' }],
  recall: ['recycling', 'callback', 'on_argue'],
  send: ['sent'],
  sold: ['sold', 'delivered', 'completed'],
  returned: ['client_returned'],
  cancel: [
    'cancelled',
    'canceled',
    'trash',
    'spam',
    'not_sold',
    'product_out_of_stock',
    'archived',
    { word: 'declined', also: '3' },
    'rejected',
  ],
  hold: [
    { word: 'hold', also: '5' },
    { word: 'pending', also: '2' },
  ],
}

/**
 * Maps the usual words of a new source to the oldest active status of their column; words that the source
 * has already, and columns that have no status, are left alone. `new`, `request` and `not_delivered` stay
 * unmapped: they say nothing final.
 */
export async function seedWords(trx: Db, sourceId: number): Promise<void> {
  const rows = Object.entries(usualWords).flatMap(([code, words]) =>
    words.map((each) => ({ code, also: null, ...(typeof each === 'string' ? { word: each } : each) })),
  )
  await sql`
    insert into source_statuses (name, source_name, source_name2, status_id, source_id)
    select u.word, u.word, u.also, s.id, ${sourceId}
    from unnest(${rows.map(({ code }) => code)}::text[], ${rows.map(({ word }) => word)}::text[],
      ${rows.map(({ also }) => also)}::text[]) with ordinality as u (code, word, also, at)
    cross join lateral (${statusOf(sql`u.code`)}) s
    order by u.at
    on conflict do nothing`.execute(trx)
}
