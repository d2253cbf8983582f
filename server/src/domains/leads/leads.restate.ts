import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { readLeadStates } from './lead-states.ts'
import { followed } from './leads.history.queries.ts'
import type { LeadOrigin, Restated } from './leads.lead.ts'
import { statusOf } from './leads.mapping.queries.ts'
import { leadTransaction } from './leads.transaction.ts'

/** A lead whose state was changed; `old_status_id` null where it had none. */
export interface LeadMoved {
  id: number
  old_status_id: number | null
  status_id: number
}

/**
 * Brings leads into a state that an admin or a parcel says, and answers those that were in another. From then
 * on a mapping leaves the lead alone, until its source tells a newer word ({@link takeIn}).
 *
 * - Of several for one lead the one with the latest time counts.
 * - A lead that counts in a column already keeps its status there.
 * - Saying once more what was said already changes nothing, whatever the source has told since.
 */
export async function restate(
  db: Db,
  told: readonly Restated[],
  from: LeadOrigin,
): Promise<readonly LeadMoved[]> {
  if (told.length === 0) return []
  return leadTransaction(db, async (trx) => {
    await readLeadStates(trx)
    await sql`
      with ${aimedAt(told)}
      select 1 from leads where id in (select lead_id from aimed)
      order by source_id, external_id for update`.execute(trx)
    return move(trx, told, from)
  })
}

async function move(trx: Db, told: readonly Restated[], from: LeadOrigin): Promise<LeadMoved[]> {
  const { rows } = await sql<LeadMoved>`
    with ${aimedAt(told)},
    meant as (
      select distinct on (l.id) l.id, l.status_id as old_status_id, a.at,
        coalesce(a.status_id, case when st.code = a.code then l.status_id else usual.id end) as status_id
      from aimed a
      join leads l on l.id = a.lead_id
      left join statuses s on s.id = l.status_id
      left join status_types st on st.id = s.type_id
      left join lateral (${statusOf(sql`a.code`)}) usual on true
      order by l.id, a.at desc, a.position desc
    ),
    changed as (
      update leads l set status_id = m.status_id, by_word = false, updated_at = greatest(l.updated_at, m.at)
      from meant m
      where l.id = m.id and m.status_id is not null and l.status_id is distinct from m.status_id
        and not exists (select 1 from lead_history h where h.lead_id = m.id and h.origin = ${from.origin}
          and h.status_id = m.status_id and h.source_time = m.at)
      returning l.id, l.stream_id, l.word, l.status_id, l.payout, m.at as source_time,
        l.word as old_word, m.old_status_id, l.payout as old_payout
    ),
    ${followed(from)}
    select id, old_status_id, status_id from changed order by id`.execute(trx)
  return rows
}

/** CTEs that end in `aimed`: what is told, once for each lead that it is told of. */
function aimedAt(told: readonly Restated[]) {
  const all = <T>(pick: (one: Restated) => T) => told.map(pick)
  return sql`
    told as materialized (
      select * from unnest(
        ${all((one) => ('id' in one ? one.id : null))}::bigint[],
        ${all((one) => ('id' in one ? null : one.external_id))}::text[],
        ${all((one) => ('id' in one ? null : (one.source_id ?? null)))}::bigint[],
        ${all((one) => ('status_id' in one ? one.status_id : null))}::bigint[],
        ${all((one) => ('status_id' in one ? null : one.column))}::text[],
        ${all((one) => one.at)}::timestamptz[]
      ) with ordinality as t (id, external_id, source_id, status_id, code, said_at, position)
    ),
    aimed as materialized (
      select t.id as lead_id, t.status_id, t.code, coalesce(t.said_at, now()) as at, t.position
      from told t where t.id is not null
      union all
      select l.id, t.status_id, t.code, coalesce(t.said_at, now()), t.position
      from told t join leads l on l.external_id = t.external_id and l.source_id = coalesce(t.source_id, l.source_id)
      where t.id is null
    )`
}
