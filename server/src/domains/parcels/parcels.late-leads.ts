import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { lockStatusesShared } from '../leads/leads.status-lock.ts'
import { inLeadTransaction } from '../leads/leads.transaction.ts'
import { matchesLeadSql, isFinishedSql, applyOutcomes, type ParcelOutcome } from './parcels.ingest.ts'

/** Number of lead ids in one transaction. */
const batchSize = 5000
/** Milliseconds between two checks for active writers. */
const pollInterval = 50

/** The job that applies outcomes of parcels to leads that arrived later. */
export const lateLeadsJob = (deps: Deps): Job => ({
  name: 'late-leads',
  interval: 3000,
  timeout: 600_000,
  isExclusive: true,
  run: async (signal) => {
    if ((await applyOutcomesToLateLeads(deps.db, signal)) > 0) deps.jobTrigger.emit('outgoing-postbacks')
  },
})

/**
 * Checks every new lead once: if its parcel already has a final status, that outcome is applied to the lead. So the
 * ingest of leads does not have to check. Answers how many leads changed. An interrupted call continues later.
 *
 * A lead and an outcome that are written at the same time do not see each other. So this function waits twice. First it
 * waits for all transactions that were active when it read the newest id: after that, all leads up to this id are
 * visible. Then it waits for all transactions that are active at that time: after that, every outcome that did not see
 * one of these leads is visible. Writers hold an advisory lock, by which they are found. Only this job waits.
 */
export async function applyOutcomesToLateLeads(db: Db, signal: AbortSignal): Promise<number> {
  let changed = 0
  let checked = await readCheckedId(db)
  const newest = await readNewestLeadId(db)
  if (newest <= checked) return changed
  for (let round = 1; round <= 2; round++) await waitForWriters(db, signal)
  while (checked < newest && !signal.aborted) {
    const to = (await hasFinishedParcels(db)) ? Math.min(checked + batchSize, newest) : newest
    changed += await checkBatch(db, checked, to)
    checked = to
  }
  return changed
}

async function readCheckedId(db: Db): Promise<number> {
  return (await db.selectFrom('late_leads').select('seen_id').executeTakeFirstOrThrow()).seen_id
}

/** The largest lead id that was assigned so far. It includes leads of open transactions. */
async function readNewestLeadId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select case when is_called then last_value else 0 end as id from leads_id_seq`.execute(db)
  return rows[0]?.id ?? 0
}

/** Without any finished parcel, all leads are checked in one step. */
async function hasFinishedParcels(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from parcels p where ${isFinishedSql} limit 1`.execute(db)
  return rows.length > 0
}

/** Waits until the active writers of leads and outcomes finish. It does not wait for writers that start later. */
async function waitForWriters(db: Db, signal: AbortSignal): Promise<void> {
  let remaining = new Set(await findWriters(db))
  while (remaining.size > 0) {
    await sleep(pollInterval, undefined, { signal })
    remaining = new Set(await findWriters(db)).intersection(remaining)
  }
}

/** Finds the transactions that hold `lead_states_read()`, by its key in pg_locks (two integers, hence objsubid 2). */
async function findWriters(db: Db): Promise<string[]> {
  const { rows } = await sql<{ transaction: string }>`
    select virtualtransaction as transaction from pg_locks
    where locktype = 'advisory' and classid = 1279607124 and objid = 0 and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ transaction }) => transaction)
}

function checkBatch(db: Db, from: number, to: number): Promise<number> {
  return inLeadTransaction(db, async (trx) => {
    await lockStatusesShared(trx)
    // All writers lock parcels before leads, and both in the same order.
    const { rows: pairs } = await sql<{ lead: number; parcel: number }>`
      select l.id as lead, p.id as parcel
      from leads l left join streams s on s.id = l.stream_id
      join parcels p on p.orderno = l.external_id and ${isFinishedSql}
      where l.id > ${from} and l.id <= ${to} and ${matchesLeadSql}
      order by p.owner_id, p.orderno for share of p`.execute(trx)
    const changed = pairs.length === 0 ? 0 : await applyOutcomes(trx, await findOutcomes(trx, pairs))
    await trx.updateTable('late_leads').set({ seen_id: to }).execute()
    return changed
  })
}

/** The outcomes that apply. A later change of the lead that is newer than the outcome wins over it. */
async function findOutcomes(
  trx: Db,
  pairs: readonly { lead: number; parcel: number }[],
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
    where not exists (
      select 1 from lead_history h
      where h.lead_id = t.lead and h.source_time > p.eventtime and h.origin <> 'mapping'
        and h.id > (select min(first.id) from lead_history first where first.lead_id = t.lead)
    )
    order by t.lead, p.eventtime desc, p.id`.execute(trx)
  return rows
}
