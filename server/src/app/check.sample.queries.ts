import type pg from 'pg'

/** Every day with a lead, a total or a segment, in random order, and the number of leads. Reads one lead of each day. */
export async function readShuffledDays(client: pg.ClientBase): Promise<{ days: string[]; leads: number }> {
  const { rows } = await client.query<{ days: string[] | null; leads: number }>(
    `with recursive lead_days as (
       select min(created_at)::date as day from leads
       union all
       select (select min(created_at)::date from leads where created_at >= d.day + 1) from lead_days d where d.day is not null
     ), days as (
       select day from lead_days where day is not null
       union select start from source_totals where span = 1
       union select day from lead_segments
     )
     select (select array_agg(day::text order by random()) from days) as days,
       (select coalesce(sum(rows), 0) from row_counts where table_name = 'leads') as leads`,
  )
  return { days: rows[0]?.days ?? [], leads: rows[0]?.leads ?? 0 }
}
