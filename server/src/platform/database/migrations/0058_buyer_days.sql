-- The days of buyers get the leads without a buyer, so that a question by day and buyer reads one table. The table has a new name:
-- a fold of the version before this one fails instead of leaving them out. See docs/decisions/0029-explore.md.

lock table owner_days in share row exclusive mode;

-- Whose days a stream adds to: its buyer's, 0 without a buyer, -1 for leads without a stream.
insert into owner_days (user_id, day, source_id, leads, accepted, cancel, recall, send, sold, returned, hold, profit,
  hold_amount)
select case t.stream_id when 0 then -1 else 0 end, t.start, t.source_id, sum(t.leads), sum(t.accepted), sum(t.cancel),
  sum(t.recall), sum(t.send), sum(t.sold), sum(t.returned), sum(t.hold), sum(t.profit), sum(t.hold_amount)
from stream_totals t left join streams s on s.id = t.stream_id
where t.span = 1 and s.user_id is null
group by 1, 2, 3;

alter table owner_days rename to buyer_days;
alter index owner_days_pkey rename to buyer_days_pkey;

do $$
declare
  way record;
begin
  for way in
    select * from (values
      ('update', 'select a.id, w.user_id, w.n from added a join removed r using (id)
          cross join lateral (values (a.user_id, 1), (r.user_id, -1)) w (user_id, n)
          where a.user_id is distinct from r.user_id'),
      ('delete', 'select r.id, w.user_id, w.n from removed r
          cross join lateral (values (null::bigint, 1), (r.user_id, -1)) w (user_id, n)
          where r.user_id is not null')
    ) ways (event, moved)
  loop
    execute format($f$
      create or replace function streams_owner_%1$s() returns trigger language plpgsql as $t$
      begin
        if not exists (%2$s) then return null; end if;
        perform stream_owners_lock();
        insert into buyer_days (user_id, day, source_id, leads, accepted, cancel, recall, send, sold, returned, hold,
          profit, hold_amount)
        select coalesce(m.user_id, 0), t.start, t.source_id, sum(m.n * t.leads), sum(m.n * t.accepted),
          sum(m.n * t.cancel), sum(m.n * t.recall), sum(m.n * t.send), sum(m.n * t.sold), sum(m.n * t.returned),
          sum(m.n * t.hold), sum(m.n * t.profit), sum(m.n * t.hold_amount)
        from (%2$s) m join stream_totals t on t.stream_id = m.id and t.span = 1
        group by 1, 2, 3 order by 1, 2, 3
        on conflict (user_id, day, source_id) do update set leads = buyer_days.leads + excluded.leads,
          accepted = buyer_days.accepted + excluded.accepted, cancel = buyer_days.cancel + excluded.cancel,
          recall = buyer_days.recall + excluded.recall, send = buyer_days.send + excluded.send,
          sold = buyer_days.sold + excluded.sold, returned = buyer_days.returned + excluded.returned,
          hold = buyer_days.hold + excluded.hold, profit = buyer_days.profit + excluded.profit,
          hold_amount = buyer_days.hold_amount + excluded.hold_amount;
        return null;
      end $t$
    $f$, way.event, way.moved);
  end loop;
end $$;
