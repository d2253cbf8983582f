-- Reports without counting leads. Triggers write every change of a lead's figures into lead_deltas, in the
-- transaction of the change; a job folds the deltas into the totals. A report is totals plus deltas in one
-- statement, so it is exact at every moment. See docs/decisions/0011-reports-are-totals-and-deltas.md.

-- What a status counts as may change (its type, a word's mapping). Whoever changes leads holds the one lock
-- shared, whoever changes what their states mean holds it alone, so that neither counts by the other's past.
create function lead_states_read() returns void language sql volatile as
  'select pg_advisory_xact_lock_shared(1279607124, 0)';
create function lead_states_change() returns void language sql volatile as
  'select pg_advisory_xact_lock(1279607124, 0)';

-- False once an admin or a parcel said the state, until the source tells a newer one: a mapping then leaves it alone.
alter table leads add column by_word boolean not null default true;
-- Free values that came with the lead (sub1 .. sub15, click), for postbacks out.
alter table leads add column subs jsonb;

-- A lead's history is written by the statement that writes the lead, and no lead is ever deleted: asking for each
-- row once more whether its lead is there cost a twentieth of the intake.
alter table lead_history drop constraint lead_history_lead_id_fkey;

-- The lists that stand behind a report's cell: newest first within a source, offer, stream or status.
drop index leads_day, leads_offer_id, leads_stream_id, leads_status_id, leads_external_id;
create index leads_source_created on leads (source_id, created_at, id);
create index leads_offer_created on leads (offer_id, created_at, id);
create index leads_stream_created on leads (stream_id, created_at, id);
create index leads_status_created on leads (status_id, created_at, id);
create index leads_external_id on leads (external_id text_pattern_ops, id);
-- For a word whose mapping changed. Few distinct keys: PostgreSQL stores each once.
create index leads_word on leads (source_id, lower(word));

-- Offer and stream 0: none. Figures may be negative. Counts are integers: their sums are several times cheaper than
-- those of bigints.
create table lead_deltas (
  id bigint generated always as identity primary key,
  day date not null,
  source_id bigint not null,
  offer_id bigint not null,
  stream_id bigint not null,
  leads integer not null,
  accepted integer not null,
  cancel integer not null,
  recall integer not null,
  send integer not null,
  sold integer not null,
  returned integer not null,
  hold integer not null,
  profit numeric not null,
  hold_amount numeric not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);

-- Totals of spans of 1, 4, 16, 64 and 256 days that start at multiples of their length from the day 0001-01-01:
-- any period is few of them. An update changes no key, so it needs no new index entry where the page has room.
do $$
declare
  figures constant text := 'leads integer not null, accepted integer not null, cancel integer not null,
    recall integer not null, send integer not null, sold integer not null, returned integer not null,
    hold integer not null, profit numeric not null, hold_amount numeric not null';
begin
  execute format('create table source_totals (span smallint, start date, source_id bigint, %s,
    primary key (span, start, source_id)) with (fillfactor = 70)', figures);
  execute format('create table offer_totals (span smallint, start date, source_id bigint, offer_id bigint, %s,
    primary key (span, start, source_id, offer_id)) with (fillfactor = 70)', figures);
  execute format('create table stream_totals (span smallint, start date, source_id bigint, stream_id bigint,
    offer_id bigint, %s, primary key (span, start, source_id, stream_id, offer_id)) with (fillfactor = 70)', figures);
  -- Of the streams that are a person's now: one may own every stream, and has few days all the same.
  execute format('create table owner_days (user_id bigint, day date, source_id bigint, %s,
    primary key (user_id, day, source_id)) with (fillfactor = 70)', figures);
end $$;
-- A person's reports read the streams that are theirs.
create index stream_totals_stream on stream_totals (stream_id, span, start);

-- Owners' days follow the totals of their streams: neither changes while the other is read for it.
create function stream_owners_lock() returns void language sql volatile as
  'select pg_advisory_xact_lock(1279607124, 1)';

do $$
declare
  way record;
begin
  for way in
    select * from (values
      ('update', 'referencing new table as added old table as removed',
        'select a.id, w.user_id, w.n from added a join removed r using (id)
          cross join lateral (values (a.user_id, 1), (r.user_id, -1)) w (user_id, n)
          where a.user_id is distinct from r.user_id'),
      ('delete', 'referencing old table as removed', 'select id, user_id, -1 as n from removed')
    ) ways (event, tables, moved)
  loop
    execute format($f$
      create function streams_owner_%1$s() returns trigger language plpgsql as $t$
      begin
        if not exists (%3$s) then return null; end if;
        perform stream_owners_lock();
        insert into owner_days (user_id, day, source_id, leads, accepted, cancel, recall, send, sold, returned, hold,
          profit, hold_amount)
        select m.user_id, t.start, t.source_id, sum(m.n * t.leads), sum(m.n * t.accepted), sum(m.n * t.cancel),
          sum(m.n * t.recall), sum(m.n * t.send), sum(m.n * t.sold), sum(m.n * t.returned), sum(m.n * t.hold),
          sum(m.n * t.profit), sum(m.n * t.hold_amount)
        from (%3$s) m join stream_totals t on t.stream_id = m.id and t.span = 1
        where m.user_id is not null
        group by 1, 2, 3 order by 1, 2, 3
        on conflict (user_id, day, source_id) do update set leads = owner_days.leads + excluded.leads,
          accepted = owner_days.accepted + excluded.accepted, cancel = owner_days.cancel + excluded.cancel,
          recall = owner_days.recall + excluded.recall, send = owner_days.send + excluded.send,
          sold = owner_days.sold + excluded.sold, returned = owner_days.returned + excluded.returned,
          hold = owner_days.hold + excluded.hold, profit = owner_days.profit + excluded.profit,
          hold_amount = owner_days.hold_amount + excluded.hold_amount;
        return null;
      end $t$;
      create trigger streams_owner_%1$s after %1$s on streams %2$s
        for each statement execute function streams_owner_%1$s()
    $f$, way.event, way.tables, way.moved);
  end loop;
end $$;

-- The three triggers of leads differ in what they count alone.
do $$
declare
  way record;
begin
  for way in
    select * from (values
      ('insert', 'referencing new table as added', 'select *, 1 as n from added'),
      ('delete', 'referencing old table as removed', 'select *, -1 as n from removed'),
      ('update', 'referencing new table as added old table as removed',
        'select *, 1 as n from added union all select *, -1 as n from removed')
    ) ways (event, tables, counted)
  loop
    execute format($f$
      create function leads_delta_%1$s() returns trigger language plpgsql as $t$
      begin
        perform lead_states_read();
        insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
          returned, hold, profit, hold_amount)
        select * from (
          select c.day, c.source_id, coalesce(c.offer_id, 0), coalesce(c.stream_id, 0), sum(c.n) as leads,
            coalesce(sum(c.n) filter (where st.code = 'accepted'), 0) as accepted,
            coalesce(sum(c.n) filter (where st.code = 'cancel'), 0) as cancel,
            coalesce(sum(c.n) filter (where st.code = 'recall'), 0) as recall,
            coalesce(sum(c.n) filter (where st.code = 'send'), 0) as send,
            coalesce(sum(c.n) filter (where st.code = 'sold'), 0) as sold,
            coalesce(sum(c.n) filter (where st.code = 'returned'), 0) as returned,
            coalesce(sum(c.n) filter (where st.code = 'hold'), 0) as hold,
            coalesce(sum(c.n * c.payout) filter (where st.code = 'sold'), 0) as profit,
            coalesce(sum(c.n * c.payout) filter (where st.code = 'hold'), 0) as hold_amount
          from (%3$s) c
          left join statuses s on s.id = c.status_id
          left join status_types st on st.id = s.type_id
          group by 1, 2, 3, 4
        ) d
        where (d.leads, d.accepted, d.cancel, d.recall, d.send, d.sold, d.returned, d.hold, d.profit, d.hold_amount)
          <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        return null;
      end $t$;
      create trigger leads_delta_%1$s after %1$s on leads %2$s
        for each statement execute function leads_delta_%1$s()
    $f$, way.event, way.tables, way.counted);
  end loop;
end $$;

-- A status of another type: its leads leave one column and come into another.
create function statuses_delta() returns trigger language plpgsql as $$
declare
  old_code text := (select code from status_types where id = old.type_id);
  new_code text := (select code from status_types where id = new.type_id);
begin
  perform lead_states_change();
  insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
    returned, hold, profit, hold_amount)
  select c.day, c.source_id, c.offer_id, c.stream_id, 0, c.leads * w.accepted, c.leads * w.cancel,
    c.leads * w.recall, c.leads * w.send, c.leads * w.sold, c.leads * w.returned, c.leads * w.hold,
    c.payouts * w.sold, c.payouts * w.hold
  from (
    select day, source_id, coalesce(offer_id, 0) as offer_id, coalesce(stream_id, 0) as stream_id,
      count(*) as leads, sum(payout) as payouts
    from leads where status_id = new.id group by 1, 2, 3, 4
  ) c
  cross join (
    select coalesce(sum(n) filter (where code = 'accepted'), 0) as accepted,
      coalesce(sum(n) filter (where code = 'cancel'), 0) as cancel,
      coalesce(sum(n) filter (where code = 'recall'), 0) as recall,
      coalesce(sum(n) filter (where code = 'send'), 0) as send,
      coalesce(sum(n) filter (where code = 'sold'), 0) as sold,
      coalesce(sum(n) filter (where code = 'returned'), 0) as returned,
      coalesce(sum(n) filter (where code = 'hold'), 0) as hold
    from (values (old_code, -1), (new_code, 1)) ways (code, n)
  ) w;
  return null;
end $$;
create trigger statuses_delta after update on statuses
  for each row when (old.type_id <> new.type_id) execute function statuses_delta();

-- What is there already.
insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
  returned, hold, profit, hold_amount)
select l.day, l.source_id, coalesce(l.offer_id, 0), coalesce(l.stream_id, 0), count(*),
  count(*) filter (where st.code = 'accepted'),
  count(*) filter (where st.code = 'cancel'),
  count(*) filter (where st.code = 'recall'),
  count(*) filter (where st.code = 'send'),
  count(*) filter (where st.code = 'sold'),
  count(*) filter (where st.code = 'returned'),
  count(*) filter (where st.code = 'hold'),
  coalesce(sum(l.payout) filter (where st.code = 'sold'), 0),
  coalesce(sum(l.payout) filter (where st.code = 'hold'), 0)
from leads l left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
group by 1, 2, 3, 4;

-- Words whose mapping changed and whose stored leads have not all followed yet; word in lower case.
create table lead_remaps (
  id bigint generated always as identity primary key,
  source_id bigint not null references cpa_sources on delete cascade,
  word text not null,
  constraint lead_remaps_source_id_word_key unique (source_id, word)
);

-- Imports as they go on, for whoever waits for them; key is chosen by the caller.
create table imports (
  id bigint generated always as identity primary key,
  key uuid not null constraint imports_key_key unique,
  user_id bigint not null constraint imports_user_id_fkey references users on delete cascade,
  kind text not null,
  file text not null,
  status text not null default 'running',
  size bigint not null,
  bytes_read bigint not null default 0,
  imported bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  skipped bigint not null default 0,
  error text,
  started_at timestamptz not null default now(),
  -- Renewed while it goes on: a running one that was not seen for a minute has died with its process.
  seen_at timestamptz not null default now(),
  finished_at timestamptz
);
create index imports_started_at on imports (started_at, id);

-- The zone that the leads' days were counted in. When the installation's zone changes, they are counted anew.
create table installation (time_zone text not null);
insert into installation select current_setting('TimeZone');
