import type pg from 'pg'
import { leadsOfDay } from '../rollups/rollups.check.queries.ts'

/**
 * Counts the segments of days without changes, and finds such days whose segments have another number of leads than the day. With a
 * day, only that day.
 */
export async function readDifferingDays(
  client: pg.ClientBase,
  day?: string,
): Promise<{ segments: number; days: string[] }> {
  const { rows } = await client.query<{ segments: number; days: string[] | null }>(
    `with built as (
       select day, sum(leads) as leads, count(*) as segments, bool_or(length(payout) <> 4 * leads) as is_cut
       from lead_segments ${day === undefined ? '' : 'where day = $1::date'} group by day
     ),
     counted as (select day, count(*) as leads from leads l ${day === undefined ? '' : `where ${leadsOfDay}`} group by day)
     select coalesce(sum(segments), 0)::integer as segments,
       array_agg(day::text order by day) filter (where b.leads is distinct from c.leads or is_cut) as days
     from built b full outer join counted c using (day)
     where not exists (select from lead_day_changes h where h.day = coalesce(b.day, c.day))`,
    day === undefined ? [] : [day],
  )
  return { segments: rows[0]?.segments ?? 0, days: rows[0]?.days ?? [] }
}
