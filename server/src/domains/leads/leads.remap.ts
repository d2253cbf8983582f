import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { lockStatusesShared } from './leads.status-lock.ts'
import { recordChanges } from './leads.history.queries.ts'
import { mappedStatus } from './leads.mapping.queries.ts'
import { inLeadTransaction } from './leads.transaction.ts'

/** Leads in one transaction. The limit keeps the row locks short for other transactions. */
const batchSize = 1000

/** A source status, in lower case, whose mapping changed. */
interface Remap {
  id: number
  source_id: number
  source_status: string
}

/** `newestFirst` starts with the last changed mapping. `maxLeadsPerStatus` limits the leads of each source status. */
interface RemapOptions {
  newestFirst?: boolean
  maxLeadsPerStatus?: number
}

/**
 * Applies changed mappings to stored leads, one source status at a time, until `signal` aborts. Returns `more` if
 * source statuses are left, and the number of processed leads. A row leaves `lead_remaps` after all its leads are
 * updated, so the next run continues an interrupted one. Several runs at the same time are safe.
 */
export async function remapLeads(
  db: Db,
  signal: AbortSignal,
  { newestFirst = false, maxLeadsPerStatus }: RemapOptions = {},
): Promise<{ more: boolean; leads: number }> {
  for (let leads = 0; ;) {
    const { rows } = await sql<Remap>`
      select id, source_id, source_status from lead_remaps order by id ${sql.raw(newestFirst ? 'desc' : 'asc')} limit 1`.execute(
      db,
    )
    const [remap] = rows
    if (remap === undefined) return { more: false, leads }
    if (signal.aborted) return { more: true, leads }
    const remapped = await remapSourceStatus(db, remap, signal, maxLeadsPerStatus)
    leads += remapped.leads
    if (!remapped.isComplete) return { more: true, leads }
    // If the mapping changed again in the meantime, the row has another id.
    await sql`delete from lead_remaps where id = ${remap.id}`.execute(db)
  }
}

/** `isComplete`: no lead of the source status is left. A cursor in the database holds the ids of the leads. */
async function remapSourceStatus(
  db: Db,
  remap: Remap,
  signal: AbortSignal,
  maxLeads?: number,
): Promise<{ isComplete: boolean; leads: number }> {
  return db.connection().execute(async (connection) => {
    // With a limit a person waits, and a search through millions of leads would take too long.
    await sql`set statement_timeout = ${sql.lit(maxLeads === undefined ? '10min' : '2s')}`.execute(connection)
    try {
      await sql`
        declare remapped_leads cursor with hold for
        select id from leads l
        where source_id = ${remap.source_id} and lower(source_status) = ${remap.source_status}
          and not is_status_overridden
          and status_id is distinct from (select status_id from (${newStatus(remap)}) m)
        limit ${maxLeads ?? null}`.execute(connection)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
    try {
      for (let leads = 0; ;) {
        if (signal.aborted) return { isComplete: false, leads }
        const { rows } = await sql<{ id: number }>`fetch ${sql.lit(batchSize)} from remapped_leads`.execute(
          connection,
        )
        if (rows.length === 0) return { isComplete: leads !== maxLeads, leads }
        leads += rows.length
        await remapBatch(
          connection,
          remap,
          rows.map(({ id }) => id),
        )
      }
    } finally {
      await sql`close remapped_leads`.execute(connection)
    }
  })
}

const newStatus = (remap: Remap) => mappedStatus(remap.source_id, sql`${remap.source_status}::text`)

/** Does not change the update time of the leads: the source reported nothing new. */
function remapBatch(db: Db, remap: Remap, ids: readonly number[]): Promise<void> {
  const condition = sql`l.id = any(${ids}::bigint[]) and not l.is_status_overridden
    and lower(l.source_status) = ${remap.source_status}`
  return inLeadTransaction(db, async (trx) => {
    await lockStatusesShared(trx)
    await sql`select 1 from leads l where ${condition} order by l.external_id for update`.execute(trx)
    await sql`
      with targets as (
        select l.id, l.status_id as old_status_id, (select status_id from (${newStatus(remap)}) m) as status_id
        from leads l where ${condition}
      ),
      changed as (
        update leads l set status_id = m.status_id from targets m
        where l.id = m.id and l.status_id is distinct from m.status_id
        returning l.id, l.stream_id, l.source_status, l.status_id, l.payout, l.updated_at as source_time,
          l.source_status as old_source_status, m.old_status_id, l.payout as old_payout
      ),
      ${recordChanges({ origin: 'mapping' })}
      select 1`.execute(trx)
  })
}
