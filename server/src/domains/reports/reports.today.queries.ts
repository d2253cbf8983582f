import { momentBeforeDay } from '../../platform/database/day-bounds.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { Where } from '../../resources/lists.where.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { ownLeadCondition } from '../rollups/rollups.queries.ts'

/** The leads of today, and the leads of yesterday with the state that they had at the same time of day. */
export interface TodayLeads {
  time: string
  leads: number
  leads_before: number
  approved: number
  approved_before: number
}

const approvedStatuses = `select s.id from statuses s join status_types t on t.id = s.type_id
  where t.code in ('accepted', 'send', 'sold', 'returned')`

/** The figures of {@link TodayLeads}. A viewer gets those of own leads; null gets those of all leads. */
export function buildTodayStatement(viewer: Viewer | null): Statement {
  const where = new Where()
  // The index has the time.
  where
    .and(`l.created_at >= ${momentBeforeDay('current_date - 1')}`)
    .and('l.day in (current_date - 1, current_date)')
    .and(`(l.day = current_date or l.created_at <= now() - interval '1 day')`)
  if (viewer !== null) where.and(ownLeadCondition(where, 'l', viewer))
  const text = `select now() as time,
      count(*) filter (where r.is_today)::int as leads,
      count(*) filter (where not r.is_today and r.was_stored)::int as leads_before,
      count(*) filter (where r.is_today and r.status_id in (${approvedStatuses}))::int as approved,
      count(*) filter (where not r.is_today and r.status_then in (${approvedStatuses}))::int as approved_before
    from (
      select l.day = current_date as is_today, l.status_id, h.id is not null as was_stored, h.status_id as status_then
      from leads l left join lateral (
        select h.id, h.status_id from lead_history h
        where l.day < current_date and h.lead_id = l.id and h.recorded_at <= now() - interval '1 day'
        order by h.id desc limit 1
      ) h on true
      where ${where.toString()}
    ) r`
  return { text, values: where.values }
}
