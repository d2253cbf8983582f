-- The job of lead_posting_queue reads the leads of a status whose type changed. A lead that left this status before the job was not
-- posted: neither its old nor its new status earned. So such a lead is posted by its own change, as one that moves behind the cursor.
create or replace function leads_posted_update() returns trigger language plpgsql as $$
declare
  earning bigint[] := array(
    select s.id from statuses s join status_types t on t.id = s.type_id where t.code = 'sold');
  ids bigint[] := array(
    select id from added where status_id = any (earning)
    union select id from removed where status_id = any (earning));
begin
  if cardinality(ids) > 0 then
    ids := array(
      select a.id from added a join removed r using (id)
      where a.id = any (ids) and (a.status_id, a.payout, a.currency, a.offer_id, a.stream_id, a.day)
        is distinct from (r.status_id, r.payout, r.currency, r.offer_id, r.stream_id, r.day));
  end if;
  if exists (select from lead_posting_queue) then
    ids := ids || array(
      select a.id from added a join removed r using (id)
      where a.created_at <> r.created_at
        or (a.status_id is distinct from r.status_id and r.status_id in (select status_id from lead_posting_queue)));
  end if;
  if cardinality(ids) > 0 then perform post_leads(ids); end if;
  return null;
end $$;

-- Posts what is missing of earlier changes.
insert into lead_posting_queue (status_id) select null where exists (select from ledger_entries where cause_type = 'lead');
