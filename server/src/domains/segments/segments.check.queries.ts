import type pg from 'pg'
import { leadsOfDay } from '../rollups/rollups.check.queries.ts'
import { sliceSql } from './segments.slices.queries.ts'

/**
 * Counts the segments of days without changes, and finds those days that differ: their segments have another number of leads than
 * the day, or a slice has another number than its owner although no stream changed its owner since. With a day, only that day.
 */
export async function readDifferingDays(
  client: pg.ClientBase,
  day?: string,
): Promise<{ segments: number; days: string[] }> {
  const [segmentsOfDay, leads] =
    day === undefined ? ['', ''] : ['where day = $1::date', `where ${leadsOfDay}`]
  const { rows } = await client.query<{ segments: number; days: string[] | null }>(
    `with built as (
       select day, sum(leads) as leads, count(*) as segments, bool_or(length(payout) <> 4 * leads) as is_cut,
         bool_and(slices is not null and owner_change = (select coalesce(max(change), 0) from stream_former_owners)) as knows_owners
       from lead_segments ${segmentsOfDay} group by day
     ),
     sliced as (
       select day, slice, sum(coalesce(slice_starts[place + 1], leads) - slice_starts[place]) as leads
       from lead_segments cross join unnest(slices) with ordinality k (slice, place) ${segmentsOfDay} group by day, slice
     ),
     owned as materialized (
       select l.day, ${sliceSql('coalesce(l.stream_id, 0)')} as slice, count(*) as leads
       from leads l left join streams o on o.id = l.stream_id ${leads} group by 1, 2
     ),
     counted as (select day, sum(leads) as leads from owned group by day),
     other_slices as (
       select distinct day from sliced s full outer join owned o using (day, slice) where s.leads is distinct from o.leads
     )
     select coalesce(sum(segments), 0)::integer as segments,
       array_agg(day::text order by day) filter (where b.leads is distinct from c.leads or is_cut
         or (knows_owners and day in (select day from other_slices))) as days
     from built b full outer join counted c using (day)
     where not exists (select from lead_day_changes h where h.day = coalesce(b.day, c.day))`,
    day === undefined ? [] : [day],
  )
  return { segments: rows[0]?.segments ?? 0, days: rows[0]?.days ?? [] }
}
