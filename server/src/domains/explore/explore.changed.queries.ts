import { textSeparator } from '@karvon/contract/lib/filter-values.ts'
import { textDimensions, type TextDimension } from '@karvon/contract/lib/lead-texts.ts'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { Where } from '../../resources/lists.where.ts'
import { isTextDimension, leadTextColumns } from '../rollups/rollups.text-columns.queries.ts'
import type { SegmentColumn } from '../segments/segments.columns.ts'
import { nextLeadsSql, type LastLead } from '../segments/segments.leads.queries.ts'
import { streamSql, type StreamScope } from '../segments/segments.slices.queries.ts'

/** The columns of segments that are numbers: ids, hours and payouts. */
export type NumberColumn = Exclude<SegmentColumn, TextDimension>

/** The largest code of each dimension of texts; 0 without one. */
export async function readLastCodes(trx: Db): Promise<Record<TextDimension, number>> {
  const columns = textDimensions.map(
    (name) =>
      `(select coalesce(max(code), 0) from lead_texts where dimension = '${name}')::integer as ${name}`,
  )
  const rows = await queryRows<Record<TextDimension, number>>(trx, `select ${columns.join(', ')}`)
  return rows[0] ?? { region: 0, cancel_reason: 0, sub1: 0, sub2: 0, sub3: 0 }
}

/**
 * For few columns, PostgreSQL 18 would search the index of the leads by stream, once for each stream. The index by time finds the leads
 * of a day in two thirds of the time. The setting is that of the transaction.
 */
export async function allowIndexOnlyScans(trx: Db, isAllowed: boolean): Promise<void> {
  await queryRows(trx, `select set_config('enable_indexonlyscan', $1, true)`, [isAllowed ? 'on' : 'off'])
}

/** Leads of one statement. */
const batchSize = 16_384
/** Bytes of all texts in one statement. A row of the database has a limit. */
const maxTextBytes = 4_000_000
/** Codes that are read at once, of at most 1,000 bytes each. */
const maxCodesAtOnce = 16_384

/** SQL of a value of the lead `l`: an id, an hour, hundredths, or a text. */
function valueSql(name: SegmentColumn): string {
  if (name === 'payout') return '(l.payout * 100)::bigint'
  if (name === 'hour') return 'extract(hour from l.created_at)::integer'
  return isTextDimension(name) ? leadTextColumns[name] : `coalesce(l.${name}_id, 0)`
}

const isOfStreams = (where: Where, scope: StreamScope): string =>
  `l.stream_id in (select o.id from streams o where ${streamSql(where, scope)})`

const separatorSql = `chr(${textSeparator.charCodeAt(0)})`

/**
 * The next leads of a day, or those of some streams, one list for each column. `last` is undefined for the last ones. Null if their
 * texts are too long, or have the separator.
 */
export async function readChangedLeads(
  trx: Db,
  {
    day,
    columns,
    after,
    scope,
  }: { day: string; columns: readonly SegmentColumn[]; after: LastLead; scope: StreamScope | null },
): Promise<{
  leads: number
  numbers: Partial<Record<NumberColumn, readonly number[]>>
  texts: Partial<Record<TextDimension, readonly string[]>>
  largestPayout: number
  last: LastLead | undefined
} | null> {
  const textColumns = columns.filter((name) => isTextDimension(name))
  const bytes = ['0', ...textColumns.map((name) => `coalesce(sum(octet_length(${name})), 0)`)].join(' + ')
  // A list as a text takes a third of the time of one as JSON.
  const lists = columns.map((name) =>
    isTextDimension(name)
      ? `case when ${bytes} < ${maxTextBytes} then string_agg(${name}, ${separatorSql}) end as ${name}`
      : `string_agg(${name}::text, ',') as ${name}`,
  )
  const values = columns.map((name) => `${valueSql(name)} as ${name}`)
  const largest = columns.includes('payout') ? 'coalesce(max(abs(payout)), 0)' : '0'
  const where = new Where([day, after.created_at, after.id])
  const leads = nextLeadsSql(batchSize, scope === null ? undefined : isOfStreams(where, scope))
  const rows = await queryRows<
    { lead_count: number; largest: number; last_time: string; last_id: number } & Partial<
      Record<SegmentColumn, string | null>
    >
  >(
    trx,
    `select ${[...lists, 'count(*)::integer as lead_count', `${largest} as largest`].join(', ')},
        max(created_at)::text as last_time, (array_agg(id))[count(*)] as last_id
      from (select ${['l.created_at', 'l.id', ...values].join(', ')} ${leads}) l`,
    where.values,
  )
  const [row] = rows
  if (row === undefined || row.lead_count === 0)
    return { leads: 0, numbers: {}, texts: {}, largestPayout: 0, last: undefined }
  const numbers: Partial<Record<NumberColumn, readonly number[]>> = {}
  const texts: Partial<Record<TextDimension, readonly string[]>> = {}
  for (const name of columns) {
    const list = row[name]
    if (list === undefined || list === null) return null
    const values = isTextDimension(name)
      ? (texts[name] = list.split(textSeparator))
      : (numbers[name] = JSON.parse(`[${list}]`) as number[])
    if (values.length !== row.lead_count) return null
  }
  const last = row.lead_count < batchSize ? undefined : { created_at: row.last_time, id: row.last_id }
  return { leads: row.lead_count, numbers, texts, largestPayout: row.largest, last }
}

/** The stored codes of texts. Few codes are read at once, which takes less time than to look up many texts. */
export async function readCodes(
  trx: Db,
  dimension: TextDimension,
  { texts, lastCode }: { texts: readonly string[]; lastCode: number },
): Promise<{ text: string; code: number }[]> {
  const isAll = lastCode <= maxCodesAtOnce && texts.length > lastCode / 8
  const condition = isAll ? '' : 'and text = any($2::text[])'
  const rows = await queryRows<{ texts: string[] | null; codes: string | null }>(
    trx,
    `select json_agg(text) as texts, string_agg(code::text, ',') as codes from lead_texts where dimension = $1 ${condition}`,
    isAll ? [dimension] : [dimension, texts],
  )
  const codes = JSON.parse(`[${rows[0]?.codes ?? ''}]`) as number[]
  return (rows[0]?.texts ?? []).map((text, at) => ({ text, code: codes[at] ?? 0 }))
}
