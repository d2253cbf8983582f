import { sql, type RawBuilder } from 'kysely'
import type { ChangeOrigin } from './leads.types.ts'

/**
 * CTEs that every change of leads needs: they write the history and queue the outgoing postbacks. They read the CTE
 * `changed`: `id, stream_id, source_status, status_id, payout, currency, source_time` and the old values
 * `old_source_status` (null for a new lead), `old_status_id, old_payout, old_currency`.
 */
export const recordChanges = ({ origin, reason }: ChangeOrigin): RawBuilder<unknown> => sql`
  recorded as (
    select * from changed
    where (source_status, status_id, payout, currency)
      is distinct from (old_source_status, old_status_id, old_payout, old_currency)
  ),
  history as (
    insert into lead_history (lead_id, source_status, status_id, payout, currency, origin, reason, source_time)
    select id, source_status, status_id, payout, currency, ${origin}, ${reason ?? null}, source_time from recorded order by id
  ),
  outgoing as (
    insert into outgoing_postbacks (template_id, lead_id, stream_id, source_status, state, payout, currency, changed_at)
    select t.id, r.id, r.stream_id, r.source_status, st.code, r.payout, r.currency, r.source_time
    from recorded r
    join postback_templates t on t.stream_id = r.stream_id and t.is_active
    left join statuses s on s.id = r.status_id
    left join status_types st on st.id = s.type_id
    where t.state is null or t.state = st.code
    order by r.id, t.id
  )`
