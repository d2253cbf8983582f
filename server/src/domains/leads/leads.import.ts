import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Db } from '../../platform/database/pool.ts'
import { invalid } from '../../platform/http/errors.ts'
import { importTable, type RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import type { TableFile } from '../../platform/spreadsheets/spreadsheets.read.ts'
import {
  readCurrency,
  readDecimal,
  readMoment,
  textUpTo,
} from '../../platform/spreadsheets/spreadsheets.values.ts'
import { leadBatch, takeIn } from './leads.intake.ts'
import type { LeadTold } from './leads.lead.ts'

const headings = {
  external_id: [],
  created_at: [],
  status: [],
  payout: [],
  offer: [],
  offer_extra_id: [],
  stream: [],
  stream_extra_id: [],
  updated_at: [],
  currency: [],
  comment: [],
} as const
type Column = keyof typeof headings

/**
 * Takes in the leads of a file, batch by batch; a batch that is in stays in, and a second run is harmless.
 * Errors: 422 `invalid` for an unknown source, a missing column or an empty file; see {@link importTable}.
 */
export async function importLeads(
  db: Db,
  file: TableFile,
  sourceId: number,
  options: { currency: string; reason: string },
): Promise<ImportAnswer> {
  const known = await db.selectFrom('cpa_sources').select('id').where('id', '=', sourceId).executeTakeFirst()
  if (known === undefined) throw invalid([{ field: 'source_id', message: 'Source does not exist.' }])
  return importTable<Column, LeadTold>({
    file,
    headings,
    required: ['external_id', 'created_at', 'status', 'payout'],
    read: (row) => leadOf(row, options.currency),
    batch: leadBatch,
    take: (leads) => takeIn(db, sourceId, leads, { origin: 'file', reason: options.reason }),
  })
}

function leadOf(row: RowReader<Column>, currency: string): LeadTold | null {
  const lead = {
    external_id: row.required('external_id', textUpTo(255)),
    word: row.required('status', textUpTo(100)),
    payout: row.required('payout', (value) => readDecimal(value, 2)),
    created_at: row.required('created_at', readMoment),
    updated_at: row.optional('updated_at', readMoment),
    currency: row.optional('currency', readCurrency) ?? currency,
    offer: row.optional('offer', textUpTo(255)),
    offer_extra_id: row.optional('offer_extra_id', textUpTo(255)),
    stream: row.optional('stream', textUpTo(255)),
    stream_extra_id: row.optional('stream_extra_id', textUpTo(255)),
    comment: row.optional('comment', textUpTo(2000)),
  }
  const { external_id, word, payout, created_at } = lead
  if (external_id === null || word === null || payout === null || created_at === null) return null
  return { ...lead, external_id, word, payout, created_at }
}
