import type { ReportColumn } from '@karvon/contract/lib/report-columns.ts'
import type { Db } from '../../platform/database/pool.ts'
import { insertMappings } from './leads.mapping.queries.ts'

/**
 * Usual source statuses of CPA networks, by report column. `affise` is the number that networks on Affise send in
 * postbacks.
 */
const defaultSourceStatuses: Readonly<
  Record<ReportColumn, readonly (string | { name: string; affise: string })[]>
> = {
  accepted: ['order', 'accepted', 'filling', 'preparing', 'booked', { name: 'approved', affise: '1' }],
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
    { name: 'declined', affise: '3' },
    'rejected',
  ],
  hold: [
    { name: 'hold', affise: '5' },
    { name: 'pending', affise: '2' },
  ],
}

/**
 * Maps the usual source statuses of a new source, each to the oldest active status of its column. It skips mappings
 * that the source already has and columns that have no status. `new`, `request` and `not_delivered` stay unmapped,
 * because they are not final.
 */
export async function seedDefaultMappings(trx: Db, sourceId: number): Promise<void> {
  const rows = Object.entries(defaultSourceStatuses).flatMap(([code, statuses]) =>
    statuses.map((status) => ({
      code,
      affise: null,
      ...(typeof status === 'string' ? { name: status } : status),
    })),
  )
  await insertMappings(trx, sourceId, rows)
}
