/** SQL of how many leads of the status `t` are in the report column of its type already; null if all are. The rollups count the leads. */
export const statusRecountSql = `(select json_build_object('recounted', r.recounted, 'leads', (
    select coalesce(sum(c.leads), 0) from (
      select leads from status_totals where span = 256 and status_id = t.id
      union all select leads from status_deltas where status_id = t.id
    ) c)) from status_recounts r where r.status_id = t.id)`
