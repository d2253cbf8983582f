import { sql, type RawBuilder } from 'kysely'
import type { LeadOrigin } from './leads.lead.ts'

/**
 * CTEs of what follows from every change of leads, whichever way it came: history, and a postback for each
 * tracker that waits for it. They read the CTE `changed`: `id, stream_id, word, status_id, payout, source_time`
 * and what was before, `old_word` (null for a new lead), `old_status_id, old_payout`.
 */
export const followed = (from: LeadOrigin): RawBuilder<unknown> => sql`
  news as (
    select * from changed where (word, status_id, payout) is distinct from (old_word, old_status_id, old_payout)
  ),
  history as (
    insert into lead_history (lead_id, word, status_id, payout, origin, reason, source_time)
    select id, word, status_id, payout, ${from.origin}, ${from.reason ?? null}, source_time from news order by id
  ),
  outgoing as (
    insert into outgoing_postbacks (template_id, lead_id, word, state, payout, changed_at)
    select t.id, n.id, n.word, st.code, n.payout, n.source_time
    from news n
    join postback_templates t on t.stream_id = n.stream_id and t.is_active
    left join statuses s on s.id = n.status_id
    left join status_types st on st.id = s.type_id
    where t.state is null or t.state = st.code
    order by n.id, t.id
  )`
