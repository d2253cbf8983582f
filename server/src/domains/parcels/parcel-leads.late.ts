import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { readLeadStates } from '../leads/lead-states.ts'
import { leadTransaction } from '../leads/leads.transaction.ts'
import { isOf, isOver, settle, type Outcome } from './parcel-leads.ts'

/** Ids of leads that are looked at in one transaction. */
const batch = 5000
/** Milliseconds between two looks at who is still writing. */
const glance = 50

/** Moves leads that came after the outcome of their parcel. */
export const lateLeadsJob = (deps: Deps): Job => ({
  name: 'late-leads',
  every: 3000,
  timeout: 600_000,
  alone: true,
  run: async (signal) => {
    if ((await settleLateLeads(deps.db, signal)) > 0) deps.bell.emit('outgoing-postbacks')
  },
})

/**
 * Looks once at every lead, after it came: had its parcel come to its end by then? So the intake need not ask.
 * Answers how many leads moved. Cut off anywhere it goes on where it was.
 *
 * A lead and an outcome that come at once do not see each other. So first everybody is waited for who was writing
 * when the newest id was read: then all leads up to it can be seen. Then everybody who was writing then: an outcome
 * that has not seen one of those leads can be seen, too. Writers hold a lock that tells who they are; nobody waits here
 * but this job.
 */
export async function settleLateLeads(db: Db, signal: AbortSignal): Promise<number> {
  let moved = 0
  let seen = await seenId(db)
  const newest = await newestId(db)
  if (newest <= seen) return moved
  for (let fence = 1; fence <= 2; fence++) await writersDone(db, signal)
  while (seen < newest && !signal.aborted) {
    const to = (await anyOver(db)) ? Math.min(seen + batch, newest) : newest
    moved += await settleBatch(db, seen, to)
    seen = to
  }
  return moved
}

async function seenId(db: Db): Promise<number> {
  return (await db.selectFrom('late_leads').select('seen_id').executeTakeFirstOrThrow()).seen_id
}

/** Every id that was given so far is not above; also those of leads that nobody else can see yet. */
async function newestId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select case when is_called then last_value else 0 end as id from leads_id_seq`.execute(db)
  return rows[0]?.id ?? 0
}

/** Where no parcel ever comes to an end, leads need not be looked at one by one. */
async function anyOver(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from parcels p where ${isOver} limit 1`.execute(db)
  return rows.length > 0
}

/** Waits until whoever changes leads or parcels' outcomes now is done; who begins meanwhile is not waited for. */
async function writersDone(db: Db, signal: AbortSignal): Promise<void> {
  let left = new Set(await writers(db))
  while (left.size > 0) {
    await sleep(glance, undefined, { signal })
    left = new Set(await writers(db)).intersection(left)
  }
}

/** The transactions that hold `lead_states_read()`: its key in pg_locks (two integers, hence objsubid 2). */
async function writers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ who: string }>`
    select virtualtransaction as who from pg_locks
    where locktype = 'advisory' and classid = 1279607124 and objid = 0 and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ who }) => who)
}

function settleBatch(db: Db, from: number, to: number): Promise<number> {
  return leadTransaction(db, async (trx) => {
    await readLeadStates(trx)
    // Parcels before leads, and both in the order of every other writer.
    const { rows: pairs } = await sql<{ lead: number; parcel: number }>`
      select l.id as lead, p.id as parcel
      from leads l left join streams s on s.id = l.stream_id
      join parcels p on p.orderno = l.external_id and ${isOver}
      where l.id > ${from} and l.id <= ${to} and ${isOf}
      order by p.owner_id, p.orderno for share of p`.execute(trx)
    const moved = pairs.length === 0 ? 0 : await settle(trx, await outcomesOf(trx, pairs))
    await trx.updateTable('late_leads').set({ seen_id: to }).execute()
    return moved
  })
}

/** What was told of a lead after it came, and is newer than the outcome, stands. */
async function outcomesOf(
  trx: Db,
  pairs: readonly { lead: number; parcel: number }[],
): Promise<readonly Outcome[]> {
  const leads = pairs.map(({ lead }) => lead)
  await sql`
    select 1 from leads where id = any(${leads}::bigint[]) order by source_id, external_id for update`.execute(
    trx,
  )
  const { rows } = await sql<Outcome>`
    select distinct on (t.lead) t.lead as id, p.status_code as code, p.eventtime as at
    from unnest(${leads}::bigint[], ${pairs.map(({ parcel }) => parcel)}::bigint[]) as t (lead, parcel)
    join parcels p on p.id = t.parcel and ${isOver}
    where not exists (
      select 1 from lead_history h
      where h.lead_id = t.lead and h.source_time > p.eventtime and h.origin <> 'mapping'
        and h.id > (select min(first.id) from lead_history first where first.lead_id = t.lead)
    )
    order by t.lead, p.eventtime desc, p.id`.execute(trx)
  return rows
}
