/** Three changes of each lead, as most leads have: the ingest, the call and the delivery. */
export const historySql = `
  insert into lead_history (lead_id, source_status, status_id, payout, origin, source_time, recorded_at)
  select l.id, l.source_status, l.status_id, l.payout, 'postback', l.created_at + change * interval '1 hour',
    l.created_at + change * interval '1 hour'
  from leads l, generate_series(0, 2) change`

export const countSql = `select (select count(*) from leads) as leads, (select count(*) from lead_history) as changes`

export const sizeSql = 'select pg_database_size(current_database())::float8 as bytes'
