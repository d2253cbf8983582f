import type pg from 'pg'

/** Counts the lines of acts, and the parcels whose `settled_at` is not the day of their first act. */
export async function countDifferingSettledParcels(
  client: pg.ClientBase,
): Promise<{ lines: number; differing: number }> {
  const { rows } = await client.query<{ lines: number; differing: number }>(`
    with settled as (
      select l.parcel_id, min(a.act_date)::timestamptz as settled_at
      from settlement_lines l join settlement_acts a on a.id = l.act_id
      where l.removed_at is null and l.parcel_id is not null group by l.parcel_id
    )
    select (select count(*) from settlement_lines where removed_at is null) as lines,
      (select count(*) from settled s full join (select id, settled_at from parcels where settled_at is not null) p
        on p.id = s.parcel_id where p.settled_at is distinct from s.settled_at) as differing`)
  const { lines = 0, differing = 0 } = rows[0] ?? {}
  return { lines, differing }
}
