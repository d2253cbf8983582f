import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { recordChanges } from './leads.history.queries.ts'
import { buildMappedStatus } from './leads.mapping.queries.ts'

/** A source status, in lower case, whose mapping changed. */
export interface Remap {
  id: number
  source_id: number
  source_status: string
}

export const remapsWorkDelay: WorkDelay = sql`select 0 from lead_remaps limit 1`

/** The changed mapping that waits longest, or the last one with `isNewestFirst`. */
export async function findNextRemap(db: Db, isNewestFirst: boolean): Promise<Remap | undefined> {
  const { rows } = await sql<Remap>`
      select id, source_id, source_status from lead_remaps order by id ${sql.raw(isNewestFirst ? 'desc' : 'asc')} limit 1`.execute(
    db,
  )
  return rows[0]
}

export async function deleteRemap(db: Db, id: number): Promise<void> {
  await sql`delete from lead_remaps where id = ${id}`.execute(db)
}

const buildNewStatus = (remap: Remap) => buildMappedStatus(remap.source_id, sql`${remap.source_status}::text`)

/** Opens a cursor on the leads of a source status whose status changes. It outlives transactions: close it afterwards. */
export async function openRemappedLeads(
  connection: Db,
  remap: Remap,
  { limit, timeout }: { limit: number | null; timeout: string },
): Promise<void> {
  await connection.transaction().execute(async (trx) => {
    // It also holds for the commit, which reads all rows of the cursor.
    await sql`select set_config('statement_timeout', ${timeout}, true)`.execute(trx)
    await sql`
        declare remapped_leads cursor with hold for
        select id from leads l
        where source_id = ${remap.source_id} and lower(source_status) = ${remap.source_status}
          and not is_status_overridden
          and status_id is distinct from (select status_id from (${buildNewStatus(remap)}) m)
        limit ${limit}`.execute(trx)
  })
}

/** The ids of the next leads of the cursor; none at its end. */
export async function fetchRemappedLeads(connection: Db, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`fetch ${sql.lit(count)} from remapped_leads`.execute(connection)
  return rows.map(({ id }) => id)
}

export async function closeRemappedLeads(connection: Db): Promise<void> {
  await sql`close remapped_leads`.execute(connection)
}

/** SQL: the lead is one of `ids`, and the mapping still decides its status. */
const isRemapped = (remap: Remap, ids: readonly number[]) => sql`l.id = any(${ids}::bigint[])
    and not l.is_status_overridden and lower(l.source_status) = ${remap.source_status}`

/** Locks those of the leads that the mapping still applies to. Answers their ids. */
export async function lockRemappedLeads(trx: Db, remap: Remap, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
      select l.id from leads l where ${isRemapped(remap, ids)} order by l.external_id for update`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Gives leads the status of the mapping and records the changes. */
export async function updateRemappedLeads(trx: Db, remap: Remap, ids: readonly number[]): Promise<void> {
  await sql`
      with targets as (
        select l.id, l.status_id as old_status_id, (select status_id from (${buildNewStatus(remap)}) m) as status_id
        from leads l where ${isRemapped(remap, ids)}
      ),
      changed as (
        update leads l set status_id = m.status_id from targets m
        where l.id = m.id and l.status_id is distinct from m.status_id
        returning l.id, l.stream_id, l.source_status, l.status_id, l.payout, l.currency, l.updated_at as source_time,
          l.source_status as old_source_status, m.old_status_id, l.payout as old_payout, l.currency as old_currency
      ),
      ${recordChanges({ origin: 'mapping' })}
      select 1`.execute(trx)
}
