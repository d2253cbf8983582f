import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { isFinishedSql, matchesLeadSql, type ParcelOutcome } from './parcels.outcomes.queries.ts'

/** The largest lead id that was checked. */
export async function readCheckedId(db: Db): Promise<number> {
  return (await db.selectFrom('late_leads').select('last_checked_id').executeTakeFirstOrThrow())
    .last_checked_id
}

/** The largest lead id that was assigned so far. It includes leads of open transactions. */
export async function readNewestLeadId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select case when is_called then last_value else 0 end as id from leads_id_seq`.execute(db)
  return rows[0]?.id ?? 0
}

/** Whether a lead id was assigned after the last checked one. */
export const lateLeadsWorkDelay: WorkDelay = sql`
  select 0 from leads_id_seq, late_leads where is_called and last_value > last_checked_id`

/** Without any finished parcel, all leads are checked in one step. */
export async function hasFinishedParcels(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from parcels p where ${isFinishedSql} limit 1`.execute(db)
  return rows.length > 0
}

/** Stores that the leads from `from` to `to` were checked, unless all leads must be checked again since. */
export async function storeCheckedId(trx: Db, { from, to }: { from: number; to: number }): Promise<void> {
  await trx
    .updateTable('late_leads')
    .set({ last_checked_id: to })
    .where('last_checked_id', '=', from)
    .execute()
}

/**
 * Makes the job check all leads again if the status `id` is the only active one of its report column: the outcomes of parcels that
 * arrived before had no status for their leads. Call it with the exclusive status lock.
 */
export async function checkAllLeadsForStatus(trx: Db, id: number): Promise<void> {
  await sql`
    update late_leads set last_checked_id = 0
    where exists (
      select 1 from statuses s join status_types st on st.id = s.type_id
      where s.id = ${id} and s.is_active and st.code in ('sold', 'returned')
        and not exists (select 1 from statuses o where o.type_id = s.type_id and o.is_active and o.id <> s.id))`.execute(
    trx,
  )
}

interface LeadParcelPair {
  lead: number
  parcel: number
}

/** The ids of leads: those above `from` and up to `to`, or those of a list. */
export type LeadIds = { from: number; to: number } | { ids: readonly number[] }

/**
 * Finds the leads that have a finished parcel, and locks the parcels. All writers lock parcels before leads,
 * and both in the same order.
 */
export async function lockFinishedParcels(trx: Db, leadIds: LeadIds): Promise<LeadParcelPair[]> {
  const isSelected =
    'ids' in leadIds
      ? sql`l.id = any(${leadIds.ids}::bigint[])`
      : sql`l.id > ${leadIds.from} and l.id <= ${leadIds.to}`
  const { rows } = await sql<LeadParcelPair>`
    select l.id as lead, p.id as parcel
    from leads l left join streams s on s.id = l.stream_id
    join parcels p on p.orderno = l.external_id and ${isFinishedSql}
    where ${isSelected} and ${matchesLeadSql}
    order by p.owner_id, p.orderno for share of p`.execute(trx)
  return rows
}

/** Locks the leads and finds the outcome of each: that of its parcel with the newest event. */
export async function findLateOutcomes(
  trx: Db,
  pairs: readonly LeadParcelPair[],
): Promise<readonly ParcelOutcome[]> {
  const leads = pairs.map(({ lead }) => lead)
  await sql`
    select 1 from leads where id = any(${leads}::bigint[]) order by source_id, external_id for update`.execute(
    trx,
  )
  const { rows } = await sql<ParcelOutcome>`
    select distinct on (t.lead) t.lead as id, p.status_code as code, p.eventtime as at
    from unnest(${leads}::bigint[], ${pairs.map(({ parcel }) => parcel)}::bigint[]) as t (lead, parcel)
    join parcels p on p.id = t.parcel and ${isFinishedSql}
    order by t.lead, p.eventtime desc, p.id`.execute(trx)
  return rows
}
