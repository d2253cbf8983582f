-- Where the customer is and why the order was cancelled, as the source reports them. Explore groups leads by them.
alter table leads add column region text, add column cancel_reason text;

-- Leads and payouts by status, as rollups and deltas. A status counts in the report column of its type, so the type is looked
-- up when they are read. Status 0: none. See docs/decisions/0029-explore.md.
create table status_deltas (
  id bigint generated always as identity primary key,
  day date not null,
  source_id bigint not null,
  status_id bigint not null,
  leads integer not null,
  payouts numeric not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
create table status_totals (span smallint, start date, source_id bigint, status_id bigint, leads integer not null,
  payouts numeric not null, primary key (span, start, source_id, status_id)) with (fillfactor = 70);
create trigger notify_jobs after insert on status_deltas
  for each statement execute function notify_jobs_seldom('fold-lead-deltas');

-- The leads up to this id are in the deltas and totals of statuses; null: all. A job counts the leads that were stored before.
alter table installation add column statuses_counted_to bigint;
update installation set statuses_counted_to = 0 where exists (select from leads);

-- As before, and the deltas of statuses.
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
            sum(c.n) as leads, sum(c.n * c.payout) as payouts,
            coalesce(sum(c.n) filter (where c.id <= i.counted_to), 0) as counted_leads,
            coalesce(sum(c.n * c.payout) filter (where c.id <= i.counted_to), 0) as counted_payouts
          from (%2$s) c
          cross join (select coalesce(statuses_counted_to, 9223372036854775807) as counted_to from installation) i
          group by 1, 2, 3, 4, 5
        ),
        of_statuses as (
          insert into status_deltas (day, source_id, status_id, leads, payouts)
          select day, source_id, coalesce(status_id, 0), sum(counted_leads), sum(counted_payouts) from by_status
          group by 1, 2, 3 having (sum(counted_leads), sum(counted_payouts)) <> (0, 0)
        )
        insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
          returned, hold, profit, hold_amount)
        select * from (
          select b.day, b.source_id, b.offer_id, b.stream_id, sum(b.leads) as leads,
            coalesce(sum(b.leads) filter (where st.code = 'accepted'), 0) as accepted,
            coalesce(sum(b.leads) filter (where st.code = 'cancel'), 0) as cancel,
            coalesce(sum(b.leads) filter (where st.code = 'recall'), 0) as recall,
            coalesce(sum(b.leads) filter (where st.code = 'send'), 0) as send,
            coalesce(sum(b.leads) filter (where st.code = 'sold'), 0) as sold,
            coalesce(sum(b.leads) filter (where st.code = 'returned'), 0) as returned,
            coalesce(sum(b.leads) filter (where st.code = 'hold'), 0) as hold,
            coalesce(sum(b.payouts) filter (where st.code = 'sold'), 0) as profit,
            coalesce(sum(b.payouts) filter (where st.code = 'hold'), 0) as hold_amount
          from by_status b
          left join statuses s on s.id = b.status_id
          left join status_types st on st.id = s.type_id
          group by 1, 2, 3, 4
        ) d
        where (d.leads, d.accepted, d.cancel, d.recall, d.send, d.sold, d.returned, d.hold, d.profit, d.hold_amount)
          <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        return null;
      end $t$
    $f$, way.event, way.counted);
  end loop;
end $$;
