import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Days of arrivals that are kept: four weeks before a silence of a week, and a day. */
const daysKept = 36

/** Adds up arrivals of leads, `limit` rows at most. Answers their number. */
export async function foldArrivals(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gone as (
      delete from lead_arrivals where id in (select id from lead_arrivals order by id limit ${limit}) returning *
    ), hours as (
      insert into source_hours (source_id, hour, leads)
      select source_id, date_trunc('hour', at), sum(leads) from gone group by 1, 2 order by 1, 2
      on conflict (source_id, hour) do update set leads = source_hours.leads + excluded.leads
    ), latest as (
      insert into stream_arrivals (source_id, offer_id, stream_id, last_at)
      select source_id, offer_id, stream_id, max(at) from gone group by 1, 2, 3 order by 1, 2, 3
      on conflict (source_id, offer_id, stream_id)
        do update set last_at = greatest(stream_arrivals.last_at, excluded.last_at)
    )
    select count(*)::int as n from gone`.execute(db)
  return rows[0]?.n ?? 0
}

/** Deletes what no comparison reads any more. A source with an open incident keeps its history, which the incident needs. */
export async function deleteOldHistory(db: Db, at: string): Promise<void> {
  await sql`delete from source_hours where hour < ${at}::timestamptz - make_interval(days => ${daysKept})
    and source_id not in (select subject_id from alert_incidents where subject_kind = 'source' and ended_at is null)`.execute(
    db,
  )
  await sql`delete from alert_samples where hour < ${at}::timestamptz - interval '29 days'`.execute(db)
}
