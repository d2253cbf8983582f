import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { recordChanges } from './leads.history.queries.ts'
import type { ChangeOrigin, LeadInput } from './leads.types.ts'
import { buildMappedStatus } from './leads.mapping.queries.ts'

/** A lead whose offer and stream are resolved. */
export interface ResolvedLead extends LeadInput {
  offer_id: number | null
  stream_id: number | null
}

/** SQL: how far a status type is on the way of a lead; 0 for no type. */
const buildProgressRank = (code: string) =>
  sql.raw(
    `coalesce(array_position(array['hold','accepted','recall','send','cancel','sold','returned'], ${code}), 0)`,
  )

/** SQL: the total order of the states of one lead; see `ingestLeads`. `money` has the payout and the currency. */
const listStateOrder = (lead: string, money = lead) => [
  `${lead}.updated_at`,
  `${lead}.is_status_overridden`,
  `${lead}.progress`,
  `${lead}.source_status collate "C"`,
  `${money}.payout`,
  `${money}.currency collate "C"`,
  `${lead}.created_at`,
  `coalesce(${lead}.comment, '') collate "C"`,
  `coalesce(${lead}.subs, '{}')`,
  `coalesce(${lead}.offer_id, 0)`,
  `coalesce(${lead}.stream_id, 0)`,
  `coalesce(${lead}.region, '') collate "C"`,
  `coalesce(${lead}.cancel_reason, '') collate "C"`,
]

const inputStateOrder = sql.raw(listStateOrder('input', 'money').join(', '))
const knownStateOrder = sql.raw(listStateOrder('known').join(', '))
const stateOrderDesc = sql.raw(
  listStateOrder('t')
    .map((column) => `${column} desc nulls last`)
    .join(', '),
)

/** CTEs that end in `input`: one row per lead, with the mapped status. */
function deduplicateLeads(sourceId: number, leads: readonly ResolvedLead[]): RawBuilder<unknown> {
  const valuesOf = <T>(pick: (lead: ResolvedLead) => T) => leads.map(pick)
  return sql`
    reported as materialized (
      select * from unnest(
        ${valuesOf((lead) => lead.external_id)}::text[], ${valuesOf((lead) => lead.source_status)}::text[],
        ${valuesOf((lead) => lead.payout)}::numeric[], ${valuesOf((lead) => lead.currency)}::text[],
        ${valuesOf((lead) => lead.created_at)}::timestamptz[],
        ${valuesOf((lead) => lead.updated_at ?? lead.created_at)}::timestamptz[],
        ${valuesOf((lead) => lead.offer_id)}::bigint[], ${valuesOf((lead) => lead.stream_id)}::bigint[],
        ${valuesOf((lead) => lead.comment)}::text[], ${valuesOf((lead) => (lead.subs ? JSON.stringify(lead.subs) : null))}::jsonb[],
        ${valuesOf((lead) => lead.region ?? null)}::text[], ${valuesOf((lead) => lead.cancel_reason ?? null)}::text[]
      ) as t (external_id, source_status, payout, currency, created_at, updated_at, offer_id, stream_id, comment, subs,
        region, cancel_reason)
    ),
    mappings as materialized (
      select r.source_status, mapped.status_id, ${buildProgressRank('mapped.code')} as progress
      from (select distinct source_status from reported) r
      left join lateral (${buildMappedStatus(sourceId, sql`r.source_status`)}) mapped on true
    ),
    resolved as (
      select reported.*, mappings.status_id, mappings.progress, false as is_status_overridden
      from reported join mappings using (source_status)
    ),
    input as (${new Set(valuesOf((lead) => lead.external_id)).size === leads.length ? uniqueLeads : newestOfRepeated})`
}

const uniqueLeads = sql`select * from resolved`

/** A value that the newest state omits comes from another one. */
const keptColumns = ['offer_id', 'stream_id', 'comment', 'subs', 'region', 'cancel_reason'] as const

/** Of repeated leads the greatest state, with values that only another row has. */
const newestOfRepeated = sql`
  select distinct on (t.external_id) t.external_id, t.source_status, t.status_id, t.progress, t.is_status_overridden,
    t.created_at, t.updated_at, ${buildFirstKnown('payout')}, ${buildFirstKnown('currency', 'payout')},
    ${sql.join(keptColumns.map((column) => buildFirstKnown(column)))}
  from resolved t
  order by t.external_id, ${stateOrderDesc}`

/** SQL: the column of the greatest state that has a value in `valueColumn`. */
function buildFirstKnown(column: string, valueColumn = column) {
  return sql`first_value(${sql.ref(`t.${column}`)}) over (partition by t.external_id
    order by ${sql.ref(`t.${valueColumn}`)} is null, ${stateOrderDesc}) as ${sql.ref(column)}`
}

/** Returns the external ids of stored leads. Concurrent transactions may insert more of them later. */
export async function findExistingLeads(
  trx: Db,
  sourceId: number,
  leads: readonly ResolvedLead[],
): Promise<Set<string>> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from leads
    where source_id = ${sourceId} and external_id = any(${leads.map((lead) => lead.external_id)}::text[])`.execute(
    trx,
  )
  return new Set(rows.map((row) => row.external_id))
}

/** Inserts the leads that are not stored yet, in order of external id; returns the external ids of new rows. */
export async function insertLeads(
  trx: Db,
  { sourceId, leads, origin }: { sourceId: number; leads: readonly ResolvedLead[]; origin: ChangeOrigin },
): Promise<Set<string>> {
  if (leads.length === 0) return new Set()
  const { rows } = await sql<{ external_id: string }>`
    with ${deduplicateLeads(sourceId, leads)},
    changed as (
      insert into leads (source_id, external_id, offer_id, stream_id, source_status, status_id, payout, currency, comment,
        subs, region, cancel_reason, day, created_at, updated_at)
      select ${sourceId}, external_id, offer_id, stream_id, source_status, status_id, coalesce(payout, 0), currency, comment,
        subs, region, cancel_reason, created_at::date, created_at, updated_at
      from input order by external_id
      on conflict (source_id, external_id) do nothing
      returning id, external_id, stream_id, source_status, status_id, payout, currency, updated_at as source_time,
        null::text as old_source_status, null::bigint as old_status_id, null::numeric as old_payout, null::text as old_currency
    ),
    ${recordChanges(origin)}
    select external_id from changed`.execute(trx)
  return new Set(rows.map((row) => row.external_id))
}

/** A lead counts as changed if one of these columns changes. A new update time alone is not a change. */
const comparedColumns = [
  'source_status',
  'status_id',
  'is_status_overridden',
  'payout',
  'currency',
  'comment',
  'subs',
  'region',
  'cancel_reason',
  'offer_id',
  'stream_id',
  'created_at',
]
const listComparedColumns = (prefix: string) =>
  sql.raw(comparedColumns.map((column) => `${prefix}${column}`).join(', '))
const oldColumns = sql.raw(comparedColumns.map((column) => `known.${column} as old_${column}`).join(', '))

/**
 * Merges reported leads into stored leads; returns how many changed. A status override stays while the source
 * reports the source status that the lead already has.
 *
 * All batches lock the rows in the same order. `for update` returns the newest committed version of each row, even
 * if it is newer than the snapshot of the statement.
 */
export async function mergeLeads(
  trx: Db,
  { sourceId, leads, origin }: { sourceId: number; leads: readonly ResolvedLead[]; origin: ChangeOrigin },
): Promise<number> {
  if (leads.length === 0) return 0
  const { rows } = await sql<{ updated: number }>`
    with ${deduplicateLeads(sourceId, leads)},
    locked as materialized (
      select * from leads
      where source_id = ${sourceId} and external_id = any(${leads.map((lead) => lead.external_id)}::text[])
      order by external_id for update
    ),
    known as (
      select l.*, ${buildProgressRank('st.code')} as progress
      from locked l
      left join statuses s on s.id = l.status_id
      left join status_types st on st.id = s.type_id
    ),
    merged as materialized (
      select known.id, ${oldColumns}, known.updated_at as old_updated_at,
        state.source_status, state.status_id, state.is_status_overridden, state.payout, state.currency, state.created_at,
        state.updated_at, state.updated_at as source_time,
        ${sql.join(keptColumns.map(keepKnown))}
      from input
      join known on known.external_id = input.external_id
      cross join lateral (select coalesce(input.payout, known.payout) as payout,
        case when input.payout is null then known.currency else input.currency end as currency) money
      cross join lateral (select (${inputStateOrder}) > (${knownStateOrder}) as is_newer,
        known.is_status_overridden and lower(input.source_status) = lower(known.source_status) as is_status_overridden) decision
      cross join lateral (
        select input.source_status,
          case when decision.is_status_overridden then known.status_id else input.status_id end as status_id,
          decision.is_status_overridden, money.payout, money.currency, input.created_at, input.updated_at where decision.is_newer
        union all
        select known.source_status, known.status_id, known.is_status_overridden, known.payout, known.currency, known.created_at,
          known.updated_at where not decision.is_newer
      ) state
    ),
    changed as (
      update leads set source_status = merged.source_status, status_id = merged.status_id,
        is_status_overridden = merged.is_status_overridden, payout = merged.payout,
        currency = merged.currency, comment = merged.comment, subs = merged.subs, region = merged.region,
        cancel_reason = merged.cancel_reason, offer_id = merged.offer_id, stream_id = merged.stream_id,
        day = merged.created_at::date, created_at = merged.created_at, updated_at = merged.updated_at
      from merged
      where leads.id = merged.id and (${listComparedColumns('merged.old_')}, merged.old_updated_at)
        is distinct from (${listComparedColumns('merged.')}, merged.updated_at)
      returning merged.*
    ),
    ${recordChanges(origin)}
    select count(*) as updated from changed where (${listComparedColumns('')}) is distinct from (${listComparedColumns('old_')})
  `.execute(trx)
  return rows[0]?.updated ?? 0
}

/** SQL: a value that one of the two states omits comes from the other state. */
const keepKnown = (column: string) =>
  sql.raw(`case when decision.is_newer then coalesce(input.${column}, known.${column})
    else coalesce(known.${column}, input.${column}) end as ${column}`)
