import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Db } from '../../platform/database/pool.ts'
import { invalid } from '../../platform/http/errors.ts'
import { importSheet, type RowReader } from '../../platform/spreadsheets/spreadsheets.import.ts'
import type { SheetFile } from '../../platform/spreadsheets/spreadsheets.read.ts'
import {
  parseCurrency,
  parseDecimal,
  parsePastTime,
  createTextParser,
} from '../../platform/spreadsheets/spreadsheets.values.ts'
import { hasRow } from '../../platform/database/rows.ts'
import { ingestBatchSize, ingestLeads } from './leads.ingest.ts'
import type { LeadInput } from './leads.types.ts'

const columnHeaders = {
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
  region: ['регион', 'область', 'viloyat', 'hudud'],
  cancel_reason: ['reject_reason', 'причина отмены', 'причина отказа', 'bekor qilish sababi'],
} as const
type Column = keyof typeof columnHeaders

/**
 * Ingests the leads of a file in batches. A stored batch stays stored if a later one fails; a second run is safe.
 * Errors: 422 for an unknown source, a missing column or an empty file; see {@link importSheet}.
 */
export async function importLeads(
  db: Db,
  file: SheetFile,
  { sourceId, currency, reason }: { sourceId: number; currency: string; reason: string },
): Promise<ImportAnswer> {
  if (!(await hasRow(db, 'cpa_sources', sourceId)))
    throw invalid([fieldError('source_id', 'reference_missing', { label: 'Source' })])
  return importSheet<Column, LeadInput>({
    file,
    headerNames: columnHeaders,
    requiredColumns: ['external_id', 'created_at', 'status', 'payout'],
    readRow: (row) => readLead(row, currency),
    batchSize: ingestBatchSize,
    storeBatch: (leads) => ingestLeads(db, { sourceId, leads, origin: 'file', reason }),
  })
}

function readLead(row: RowReader<Column>, currency: string): LeadInput | null {
  const lead = {
    external_id: row.readRequired('external_id', createTextParser(255)),
    source_status: row.readRequired('status', createTextParser(100)),
    payout: row.readRequired('payout', (value) => parseDecimal(value, 2)),
    created_at: row.readRequired('created_at', parsePastTime),
    updated_at: row.readOptional('updated_at', parsePastTime),
    currency: row.readOptional('currency', parseCurrency) ?? currency,
    offer: row.readOptional('offer', createTextParser(255)),
    offer_extra_id: row.readOptional('offer_extra_id', createTextParser(255)),
    stream: row.readOptional('stream', createTextParser(255)),
    stream_extra_id: row.readOptional('stream_extra_id', createTextParser(255)),
    comment: row.readOptional('comment', createTextParser(2000)),
    region: row.readOptional('region', createTextParser(255)),
    cancel_reason: row.readOptional('cancel_reason', createTextParser(255)),
  }
  const { external_id, source_status, payout, created_at } = lead
  if (external_id === null || source_status === null || payout === null || created_at === null) return null
  return { ...lead, external_id, source_status, payout, created_at }
}
