import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { textDimensions, type TextDimension } from '@karvon/contract/lib/lead-texts.ts'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { leadTextColumns } from '../leads/leads.text-columns.queries.ts'
import type { SegmentColumn } from '../segments/segments.columns.ts'
import { nextLeadsText, type LastLead } from '../segments/segments.leads.queries.ts'

export const isText = (name: DimensionName | SegmentColumn): name is TextDimension =>
  textDimensions.some((each) => each === name)

const idTables = {
  source: 'cpa_sources',
  offer: 'offers',
  stream: 'streams',
  buyer: 'users',
  status: 'statuses',
} as const

/** The largest id of a dimension. */
export async function readLastId(trx: Db, name: keyof typeof idTables): Promise<number> {
  const text = `select coalesce(max(id), 0)::integer as last from ${idTables[name]}`
  const { rows } = await trx.executeQuery<{ last: number }>(CompiledQuery.raw(text))
  return rows[0]?.last ?? 0
}

/** The largest code of each dimension of texts; 0 without one. */
export async function readLastCodes(trx: Db): Promise<Record<TextDimension, number>> {
  const columns = textDimensions.map(
    (name) =>
      `(select coalesce(max(code), 0) from lead_texts where dimension = '${name}')::integer as ${name}`,
  )
  const { rows } = await trx.executeQuery<Record<TextDimension, number>>(
    CompiledQuery.raw(`select ${columns.join(', ')}`),
  )
  return rows[0] ?? { region: 0, cancel_reason: 0, sub1: 0, sub2: 0, sub3: 0 }
}

/** Leads of one statement. */
const batchSize = 16_384
/** Bytes of all texts in one statement. A row of the database has a limit. */
const maxTextBytes = 4_000_000

/** SQL of a value of the lead `l`: an id, an hour, hundredths, or a text. */
function valueText(name: SegmentColumn): string {
  if (name === 'payout') return '(l.payout * 100)::bigint'
  if (name === 'hour') return 'extract(hour from l.created_at)::integer'
  return isText(name) ? leadTextColumns[name] : `coalesce(l.${name}_id, 0)`
}

/** The next leads of a day, one array for each column. Null if their texts are too long. */
export async function readChangedLeads(
  trx: Db,
  { day, columns, after }: { day: string; columns: readonly SegmentColumn[]; after: LastLead },
): Promise<{
  leads: number
  columns: Partial<Record<SegmentColumn, (number | string)[]>>
  largestPayout: number
  last: LastLead
} | null> {
  const texts = columns.filter((name) => isText(name))
  const bytes = ['0', ...texts.map((name) => `coalesce(sum(octet_length(${name})), 0)`)].join(' + ')
  const arrays = columns.map((name) => `'${name}', json_agg(${name})`).join(', ')
  const { rows } = await trx.executeQuery<{
    leads: number
    columns: Partial<Record<SegmentColumn, (number | string)[]>> | null
    largest_payout: number
    created_at: string
    id: number
  }>(
    CompiledQuery.raw(
      `select count(*)::integer as leads, case when ${bytes} < ${maxTextBytes} then json_build_object(${arrays}) end as columns,
        coalesce(max(abs(largest)), 0) as largest_payout, max(created_at)::text as created_at,
        (array_agg(id order by created_at desc, id desc))[1] as id
      from (
        select l.created_at, l.id, (l.payout * 100)::bigint as largest${columns.map((name) => `, ${valueText(name)} as ${name}`).join('')}
        ${nextLeadsText(batchSize)}
      ) l`,
      [day, after.created_at, after.id],
    ),
  )
  const [row] = rows
  if (row === undefined || (row.leads > 0 && row.columns === null)) return null
  const last = { created_at: row.created_at, id: row.id }
  return { leads: row.leads, columns: row.columns ?? {}, largestPayout: row.largest_payout, last }
}

/** The stored codes of texts. */
export async function readCodes(
  trx: Db,
  dimension: TextDimension,
  texts: readonly string[],
): Promise<{ text: string; code: number }[]> {
  const { rows } = await trx.executeQuery<{ text: string; code: number }>(
    CompiledQuery.raw('select text, code from lead_texts where dimension = $1 and text = any($2::text[])', [
      dimension,
      texts,
    ]),
  )
  return rows
}
