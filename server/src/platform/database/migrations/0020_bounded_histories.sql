-- A history keeps its newest 1,000 rows, whichever way they come. The number is maxHistoryKept of the contract.

-- Looks first, so that the usual case is one look into an index for each lead.
create function trim_lead_history() returns trigger language plpgsql as $$
declare
  full_lead bigint;
begin
  for full_lead in
    select a.lead_id from (select distinct lead_id from added) a
    where exists (select from lead_history h where h.lead_id = a.lead_id order by h.id desc offset 1000)
  loop
    delete from lead_history where lead_id = full_lead and id <= (
      select h.id from lead_history h where h.lead_id = full_lead order by h.id desc offset 1000 limit 1);
  end loop;
  return null;
end $$;
create trigger trim after insert on lead_history referencing new table as added
  for each statement execute function trim_lead_history();

-- In the order by which the newest event is a parcel's status, so that this event always stays.
create function trim_parcel_events() returns trigger language plpgsql as $$
declare
  full_parcel bigint;
begin
  for full_parcel in
    select a.parcel_id from (select distinct parcel_id from added) a
    where exists (select from parcel_events e where e.parcel_id = a.parcel_id offset 1000)
  loop
    delete from parcel_events where id in (
      select e.id from parcel_events e where e.parcel_id = full_parcel
      order by e.eventtime desc,
        array_position(array['PENDING','PROCESSING','IN_TRANSIT','DELIVERED','RETURNED'], e.code) desc,
        e.raw_code collate "C" desc
      offset 1000);
  end loop;
  return null;
end $$;
create trigger trim after insert on parcel_events referencing new table as added
  for each statement execute function trim_parcel_events();
