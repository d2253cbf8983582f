import { finalColumns } from '@karvon/contract/lib/report-columns.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { lockStatusesShared } from './leads.status-lock.queries.ts'
import { recordChanges } from './leads.history.queries.ts'
import type { ChangeOrigin, StatusOverride } from './leads.types.ts'
import { buildDefaultStatus } from './leads.mapping.queries.ts'
import { joinTransaction } from '../../platform/database/transaction.ts'

/** A lead whose status was changed; `old_status_id` is null if it had none. */
export interface OverriddenLead {
  id: number
  old_status_id: number | null
  status_id: number
}

/**
 * Sets the status of leads by hand (an admin) or by a parcel; returns the leads whose status changed. The mapping has
 * no effect on such a lead until its source reports another source status (`ingestLeads`).
 *
 * - Of several overrides for one lead, the one with the latest time applies.
 * - If the override is a report column, a lead that is already in this column keeps its status. So does a lead that has a
 *   newer override, or whose source has reported a final source status since: sold, returned or cancelled.
 * - Repeating an override changes nothing, even if the source reported another state since.
 */
export async function overrideLeadStatus(
  db: Db,
  overrides: readonly StatusOverride[],
  origin: ChangeOrigin,
): Promise<readonly OverriddenLead[]> {
  if (overrides.length === 0) return []
  return joinTransaction(db, async (trx) => {
    await lockStatusesShared(trx)
    const { rows: lockedLeads } = await sql<{ id: number }>`
      with ${matchOverrides(overrides)}
      select id from leads where id in (select lead_id from matched)
      order by source_id, external_id for update`.execute(trx)
    const leadIds = lockedLeads.map(({ id }) => id)
    return applyOverrides(trx, { overrides, leadIds, origin })
  })
}

/** Changes only the locked leads: a lead that was inserted since would be locked out of order, which can deadlock. */
async function applyOverrides(
  trx: Db,
  {
    overrides,
    leadIds,
    origin,
  }: { overrides: readonly StatusOverride[]; leadIds: readonly number[]; origin: ChangeOrigin },
): Promise<OverriddenLead[]> {
  const { rows } = await sql<OverriddenLead>`
    with ${matchOverrides(overrides)},
    targets as (
      select distinct on (l.id) l.id, l.status_id as old_status_id, a.at, a.code,
        coalesce(a.status_id, case when st.code = a.code then l.status_id else column_default.id end) as status_id
      from matched a
      join leads l on l.id = a.lead_id
      left join statuses s on s.id = l.status_id
      left join status_types st on st.id = s.type_id
      left join lateral (${buildDefaultStatus(sql`a.code`)}) column_default on true
      where l.id = any(${leadIds}::bigint[])
      order by l.id, a.at desc, a.position desc
    ),
    changed as (
      update leads l set status_id = m.status_id, is_status_overridden = true, updated_at = greatest(l.updated_at, m.at)
      from targets m
      where l.id = m.id and m.status_id is not null and l.status_id is distinct from m.status_id
        and not exists (
          select 1 from lead_history h
          left join statuses hs on hs.id = h.status_id left join status_types ht on ht.id = hs.type_id
          where h.lead_id = m.id and (
            h.origin = ${origin.origin} and h.source_time = m.at and (h.status_id = m.status_id or ht.code = m.code)
            or m.code is not null and h.origin in ('admin', 'parcel') and h.source_time > m.at))
        and (m.code is null or not exists (
          select 1 from (
            select h.source_time, h.status_id, h.source_status, lag(h.source_status) over (order by h.id) as previous
            from lead_history h where h.lead_id = m.id
          ) h
          join statuses hs on hs.id = h.status_id join status_types ht on ht.id = hs.type_id
          where h.source_time > m.at and lower(h.source_status) <> lower(h.previous) and ht.code = any(${finalColumns}::text[])))
      returning l.id, l.stream_id, l.source_status, l.status_id, l.payout, l.currency, m.at as source_time,
        l.source_status as old_source_status, m.old_status_id, l.payout as old_payout, l.currency as old_currency
    ),
    ${recordChanges(origin)}
    select id, old_status_id, status_id from changed order by id`.execute(trx)
  return rows
}

/** CTEs that end in `matched`: one row per override and lead. */
function matchOverrides(overrides: readonly StatusOverride[]) {
  const valuesOf = <T>(pick: (override: StatusOverride) => T) => overrides.map(pick)
  return sql`
    overrides as materialized (
      select * from unnest(
        ${valuesOf((override) => ('id' in override ? override.id : null))}::bigint[],
        ${valuesOf((override) => ('id' in override ? null : override.external_id))}::text[],
        ${valuesOf((override) => ('id' in override ? null : (override.source_id ?? null)))}::bigint[],
        ${valuesOf((override) => ('status_id' in override ? override.status_id : null))}::bigint[],
        ${valuesOf((override) => ('status_id' in override ? null : override.column))}::text[],
        ${valuesOf((override) => override.at)}::timestamptz[]
      ) with ordinality as t (id, external_id, source_id, status_id, code, set_at, position)
    ),
    matched as materialized (
      select t.id as lead_id, t.status_id, t.code, coalesce(t.set_at, now()) as at, t.position
      from overrides t where t.id is not null
      union all
      select l.id, t.status_id, t.code, coalesce(t.set_at, now()), t.position
      from overrides t join leads l on l.external_id = t.external_id and l.source_id = coalesce(t.source_id, l.source_id)
      where t.id is null
    )`
}
