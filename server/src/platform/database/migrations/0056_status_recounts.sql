-- A status that gets another type moves its leads to another report column in batches, newest leads first: the first batch in the
-- transaction of the change, the others by a job. See docs/decisions/0039-queued-type-changes.md.

-- The statuses whose leads are being moved. Leads from the cursor on count in new_column, older ones in old_column; null: in no
-- column. A status without a row counts in the column of its type. `recounted`: leads that were moved.
create table status_recounts (
  status_id bigint primary key references statuses on delete cascade,
  old_column text,
  new_column text,
  cursor_created_at timestamptz not null default 'infinity',
  cursor_id bigint not null default 9223372036854775807,
  recounted bigint not null default 0
);
create trigger notify_jobs after insert on status_recounts
  for each row execute function notify_jobs('recount-statuses');

-- Leads in one batch. Writers of leads wait while it runs.
create function recount_batch_size() returns integer language sql immutable as 'select 5000';

-- Moves the next batch of the leads of a status. The lock keeps writers of leads away, so no lead is counted by two cursors. If the
-- type changed again meanwhile, the leads are moved once more from the newest one on.
create function recount_status(status bigint) returns void language plpgsql as $$
declare
  max_leads integer := recount_batch_size();
  recount status_recounts;
  present_column text;
  moved_leads bigint;
  last_created_at timestamptz;
  last_id bigint;
begin
  perform lead_states_change();
  select * into recount from status_recounts where status_id = status for update;
  if not found then return; end if;
  with batch as materialized (
    select id, created_at, day, source_id, coalesce(offer_id, 0) as offer_id, coalesce(stream_id, 0) as stream_id, payout
    from leads where status_id = status and (created_at, id) < (recount.cursor_created_at, recount.cursor_id)
    order by created_at desc, id desc limit max_leads
  ),
  deltas as (
    insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
      returned, hold, profit, hold_amount)
    select c.day, c.source_id, c.offer_id, c.stream_id, 0, c.leads * w.accepted, c.leads * w.cancel,
      c.leads * w.recall, c.leads * w.send, c.leads * w.sold, c.leads * w.returned, c.leads * w.hold,
      c.payouts * w.sold, c.payouts * w.hold
    from (
      select day, source_id, offer_id, stream_id, count(*) as leads, sum(payout) as payouts from batch group by 1, 2, 3, 4
    ) c
    cross join (
      select coalesce(sum(n) filter (where code = 'accepted'), 0) as accepted,
        coalesce(sum(n) filter (where code = 'cancel'), 0) as cancel,
        coalesce(sum(n) filter (where code = 'recall'), 0) as recall,
        coalesce(sum(n) filter (where code = 'send'), 0) as send,
        coalesce(sum(n) filter (where code = 'sold'), 0) as sold,
        coalesce(sum(n) filter (where code = 'returned'), 0) as returned,
        coalesce(sum(n) filter (where code = 'hold'), 0) as hold
      from (values (recount.old_column, -1), (recount.new_column, 1)) ways (code, n)
    ) w
  )
  select count(*) over (), created_at, id into moved_leads, last_created_at, last_id
  from batch order by created_at, id limit 1;

  if moved_leads = max_leads then
    update status_recounts set cursor_created_at = last_created_at, cursor_id = last_id, recounted = recounted + moved_leads
    where status_id = status;
    return;
  end if;
  select t.code into present_column from statuses s join status_types t on t.id = s.type_id where s.id = status;
  if recount.new_column is not distinct from present_column then
    delete from status_recounts where status_id = status;
  else
    update status_recounts set old_column = recount.new_column, new_column = present_column,
      cursor_created_at = default, cursor_id = default, recounted = 0
    where status_id = status;
  end if;
end $$;

-- Most statuses have few leads, and their change is complete when it commits.
create or replace function statuses_delta() returns trigger language plpgsql as $$
declare
  old_code text := (select code from status_types where id = old.type_id);
  new_code text := (select code from status_types where id = new.type_id);
begin
  perform lead_states_change();
  if old_code is distinct from new_code then
    insert into status_recounts (status_id, old_column, new_column) values (new.id, old_code, new_code)
    on conflict do nothing;
    perform recount_status(new.id);
  end if;
  return null;
end $$;

-- As before, but a lead of a status that is being recounted counts in the column of its side of the cursor. Counts are integers, because
-- a sum of bigints is numeric.
do $$
declare
  way record;
begin
  for way in
    select * from (values
      ('insert', 'select *, 1 as n from added'),
      ('delete', 'select *, -1 as n from removed'),
      ('update', 'select *, 1 as n from added union all select *, -1 as n from removed')
    ) ways (event, counted)
  loop
    execute format($f$
      create or replace function leads_delta_%1$s() returns trigger language plpgsql as $t$
      begin
        perform lead_states_read();
        with by_status as materialized (
          select c.day, c.source_id, coalesce(c.offer_id, 0) as offer_id, coalesce(c.stream_id, 0) as stream_id, c.status_id,
            case when r.status_id is not null then (c.created_at, c.id) >= (r.cursor_created_at, r.cursor_id) end as is_moved,
            sum(c.n)::integer as leads, sum(c.n * c.payout) as payouts,
            coalesce(sum(c.n) filter (where c.id <= i.counted_to), 0)::integer as counted_leads,
            coalesce(sum(c.n * c.payout) filter (where c.id <= i.counted_to), 0) as counted_payouts
          from (%2$s) c
          cross join (select coalesce(statuses_counted_to, 9223372036854775807) as counted_to from installation) i
          left join status_recounts r on r.status_id = c.status_id
          group by 1, 2, 3, 4, 5, 6
        ),
        of_statuses as (
          insert into status_deltas (day, source_id, status_id, leads, payouts)
          select day, source_id, coalesce(status_id, 0), sum(counted_leads), sum(counted_payouts) from by_status
          group by 1, 2, 3 having (sum(counted_leads), sum(counted_payouts)) <> (0, 0)
        ),
        by_column as (
          select b.day, b.source_id, b.offer_id, b.stream_id, b.leads, b.payouts,
            case b.is_moved when true then r.new_column when false then r.old_column else st.code end as code
          from by_status b
          left join statuses s on s.id = b.status_id
          left join status_types st on st.id = s.type_id
          left join status_recounts r on r.status_id = b.status_id
        )
        insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
          returned, hold, profit, hold_amount)
        select * from (
          select day, source_id, offer_id, stream_id, sum(leads) as leads,
            coalesce(sum(leads) filter (where code = 'accepted'), 0) as accepted,
            coalesce(sum(leads) filter (where code = 'cancel'), 0) as cancel,
            coalesce(sum(leads) filter (where code = 'recall'), 0) as recall,
            coalesce(sum(leads) filter (where code = 'send'), 0) as send,
            coalesce(sum(leads) filter (where code = 'sold'), 0) as sold,
            coalesce(sum(leads) filter (where code = 'returned'), 0) as returned,
            coalesce(sum(leads) filter (where code = 'hold'), 0) as hold,
            coalesce(sum(payouts) filter (where code = 'sold'), 0) as profit,
            coalesce(sum(payouts) filter (where code = 'hold'), 0) as hold_amount
          from by_column
          group by 1, 2, 3, 4
        ) d
        where (d.leads, d.accepted, d.cancel, d.recall, d.send, d.sold, d.returned, d.hold, d.profit, d.hold_amount)
          <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        return null;
      end $t$
    $f$, way.event, way.counted);
  end loop;
end $$;
