-- Money in double entry: see docs/decisions/0022-one-ledger.md.

-- What a person earns by a lead. The terms of a lead are those of the most specific scope (person and offer, person,
-- offer, everybody) that were valid on the day of the lead. New terms start on a later day, so that no lead changes.
create table payout_terms (
  id bigint generated always as identity primary key,
  user_id bigint constraint payout_terms_user_id_fkey references users,
  offer_id bigint constraint payout_terms_offer_id_fkey references offers,
  valid_from date not null,
  earned_at text not null constraint payout_terms_earned_at_check check (earned_at in ('sold', 'delivered')),
  share numeric(5, 2) constraint payout_terms_share_check check (share between 0 and 100),
  fixed numeric(15, 2) constraint payout_terms_fixed_check check (fixed >= 0),
  hold_days smallint not null constraint payout_terms_hold_days_check check (hold_days between 0 and 365),
  minimum numeric(15, 2) not null
    constraint payout_terms_minimum_check check (minimum >= 0),
  created_by bigint constraint payout_terms_created_by_fkey references users,
  created_at timestamptz not null default now(),
  constraint payout_terms_share_or_fixed_check check (num_nonnulls(share, fixed) = 1),
  constraint payout_terms_scope_key unique nulls not distinct (user_id, offer_id, valid_from)
);
create index payout_terms_offer_id on payout_terms (offer_id);
create index payout_terms_valid_from on payout_terms (valid_from, id);
create index payout_terms_created_by on payout_terms (created_by);

-- Append-only. An account is a kind, the id of whom it concerns, and a currency. Assets are positive (what a network
-- and the courier owe us, what was paid to us), what we owe to a person and our margin are negative. Ids of accounts:
-- network: cpa_sources, courier: courier_accounts, person: users, all others: 0.
-- A person's money is available from the day available_on.
create table ledger_entries (
  id bigint generated always as identity primary key,
  cause_type text not null constraint ledger_entries_cause_type_check check
    (cause_type in ('lead', 'settlement_line', 'settlement_act', 'network_transaction', 'withdrawal', 'adjustment')),
  cause_id bigint not null,
  account_kind text not null constraint ledger_entries_account_kind_check check
    (account_kind in ('network', 'courier', 'person', 'margin', 'fees', 'adjustments', 'unassigned', 'paid')),
  ref_id bigint not null,
  currency text not null,
  amount numeric(18, 2) not null constraint ledger_entries_amount_check check (amount <> 0),
  available_on date,
  created_at timestamptz not null default now()
);
create index ledger_entries_cause on ledger_entries (cause_type, cause_id);
create index ledger_entries_account on ledger_entries (account_kind, ref_id, currency, created_at, id);
create index ledger_entries_created_at on ledger_entries (created_at, id);

-- Sums of the entries of an account: in all, by the UTC day of posting, and by the day on which they become available. A
-- job adds ledger_deltas, which the trigger below writes, to the sums. A balance is a sum plus the deltas.
create table ledger_deltas (
  id bigint generated always as identity primary key,
  account_kind text not null,
  ref_id bigint not null,
  currency text not null,
  day date not null,
  available_on date,
  amount numeric not null,
  entries integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
create table ledger_days (
  account_kind text,
  ref_id bigint,
  currency text,
  day date,
  amount numeric not null,
  entries integer not null,
  primary key (account_kind, ref_id, currency, day)
) with (fillfactor = 70);
create table ledger_balances (
  account_kind text,
  ref_id bigint,
  currency text,
  amount numeric not null,
  entries bigint not null,
  primary key (account_kind, ref_id, currency)
) with (fillfactor = 70);
create table ledger_entry_count (entries bigint not null);
insert into ledger_entry_count values (0);
create table ledger_holds (
  account_kind text,
  ref_id bigint,
  currency text,
  available_on date,
  amount numeric not null,
  primary key (account_kind, ref_id, currency, available_on)
) with (fillfactor = 70);

create function ledger_entries_inserted() returns trigger language plpgsql as $$
begin
  if exists (select from added group by cause_type, cause_id, currency having sum(amount) <> 0) then
    raise exception 'The entries of a cause must sum to 0';
  end if;
  insert into ledger_deltas (account_kind, ref_id, currency, day, available_on, amount, entries)
  select account_kind, ref_id, currency, (created_at at time zone 'UTC')::date, available_on, sum(amount), count(*)
  from added group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger ledger_entries_inserted after insert on ledger_entries referencing new table as added
  for each statement execute function ledger_entries_inserted();

create function ledger_entries_are_final() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of the ledger are never changed or deleted';
end $$;
create trigger ledger_entries_are_final before update or delete or truncate on ledger_entries
  for each statement execute function ledger_entries_are_final();
revoke update, delete, truncate on ledger_entries from public, current_user;

-- An entry that a cause should have.
create type ledger_target as (
  cause_id bigint, account_kind text, ref_id bigint, currency text, amount numeric, available_on date
);

-- Posts the difference between the targets of the causes and what is posted for them. The caller holds a lock on each
-- cause. Returns the number of new entries.
create function post_ledger_entries(kind text, cause_ids bigint[], targets ledger_target[]) returns integer
language plpgsql as $$
declare
  posted integer;
begin
  insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount, available_on)
  select kind, cause_id, account_kind, ref_id, currency, sum(amount), available_on
  from (
    select cause_id, account_kind, ref_id, currency, amount, available_on from unnest(targets)
    union all
    select cause_id, account_kind, ref_id, currency, -amount, available_on from ledger_entries
    where cause_type = kind and cause_id = any (cause_ids)
  ) difference
  group by cause_id, account_kind, ref_id, currency, available_on
  having sum(amount) <> 0
  order by cause_id, account_kind, ref_id, currency, available_on;
  get diagnostics posted = row_count;
  return posted;
end $$;

-- The entries of leads by their present state. The network owes the payout of a sold lead. The owner of the stream earns
-- by the payout terms, without terms the whole payout. With earned_at 'delivered', a parcel of the person, or of nobody,
-- with the lead's order number must also be delivered. Who has earned a lead keeps it, and its first day of availability,
-- when the stream gets another owner or the payout is corrected.
create function lead_ledger_targets(lead_ids bigint[]) returns setof ledger_target language sql stable as $$
  with person_part as (
    select distinct on (cause_id) cause_id, ref_id, available_on from ledger_entries
    where cause_type = 'lead' and cause_id = any (lead_ids) and account_kind = 'person'
    group by cause_id, ref_id, available_on having sum(amount) <> 0
    order by cause_id, available_on
  ),
  lead as (
    select l.id, l.source_id, l.external_id, l.offer_id, l.currency, l.payout, l.day,
      coalesce(p.ref_id, stream.user_id) as person_id, p.available_on
    from leads l
    left join person_part p on p.cause_id = l.id
    left join streams stream on stream.id = l.stream_id
    join statuses status on status.id = l.status_id
    join status_types type on type.id = status.type_id
    where l.id = any (lead_ids) and type.code = 'sold'
  ),
  earned as (
    select lead.*,
      case
        when person_id is null then 0
        when terms.earned_at = 'delivered' and not exists (
          select from parcels p where p.orderno = lead.external_id and p.status_code = 'DELIVERED'
            and (p.owner_id is null or p.owner_id = lead.person_id)) then 0
        else coalesce(terms.fixed, round(payout * coalesce(terms.share, 100) / 100, 2))
      end as person_amount,
      coalesce(available_on, current_date + coalesce(terms.hold_days, 0)) as first_available_on
    from lead
    left join lateral (
      select * from payout_terms t
      where t.valid_from <= lead.day and (t.user_id is null or t.user_id = lead.person_id)
        and (t.offer_id is null or t.offer_id = lead.offer_id)
      order by (t.user_id is not null) desc, (t.offer_id is not null) desc, t.valid_from desc
      limit 1
    ) terms on true
  )
  select entry.* from earned cross join lateral (values
    (id, 'network', source_id, currency, payout, null::date),
    (id, 'person', person_id, currency, -person_amount, first_available_on),
    (id, 'margin', 0::bigint, currency, person_amount - payout, null)
  ) entry (cause_id, account_kind, ref_id, currency, amount, available_on)
  where entry.amount <> 0
$$;

create function post_leads(lead_ids bigint[]) returns integer language sql as $$
  select post_ledger_entries('lead', lead_ids,
    coalesce((select array_agg(target) from lead_ledger_targets(lead_ids) target), '{}'))
$$;

create function leads_posted_insert() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(
    select a.id from added a join statuses s on s.id = a.status_id join status_types t on t.id = s.type_id
    where t.code = 'sold');
begin
  if cardinality(ids) > 0 then perform post_leads(ids); end if;
  return null;
end $$;
create trigger leads_posted_insert after insert on leads referencing new table as added
  for each statement execute function leads_posted_insert();

-- Most changes concern no sold lead. They read each transition table once and join nothing.
create function leads_posted_update() returns trigger language plpgsql as $$
declare
  earning bigint[] := array(
    select s.id from statuses s join status_types t on t.id = s.type_id where t.code = 'sold');
  ids bigint[] := array(
    select id from added where status_id = any (earning)
    union select id from removed where status_id = any (earning));
begin
  if cardinality(ids) = 0 then return null; end if;
  ids := array(
    select a.id from added a join removed r using (id)
    where a.id = any (ids) and (a.status_id, a.payout, a.currency, a.offer_id, a.stream_id, a.day)
      is distinct from (r.status_id, r.payout, r.currency, r.offer_id, r.stream_id, r.day));
  if cardinality(ids) > 0 then perform post_leads(ids); end if;
  return null;
end $$;
create trigger leads_posted_update after update on leads referencing new table as added old table as removed
  for each statement execute function leads_posted_update();

-- A parcel that is delivered, or no longer is, may decide whether its lead is earned. The leads are locked before they are
-- posted, also those that are not sold: a concurrent change of a lead and this one do not see each other's rows. Leads
-- that are inserted at the same time are found by the job late-leads.
create function parcels_posted() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  if not exists (select from payout_terms where earned_at = 'delivered') then return null; end if;
  if tg_op = 'INSERT' then
    ids := array(
      select l.id from added p join leads l on l.external_id = p.orderno where p.status_code = 'DELIVERED');
  else
    ids := array(
      select l.id from added p join removed r using (id) join leads l on l.external_id = p.orderno
      where (p.status_code = 'DELIVERED') is distinct from (r.status_code = 'DELIVERED'));
  end if;
  if cardinality(ids) = 0 then return null; end if;
  perform from leads where id = any (ids) order by source_id, external_id for no key update;
  perform post_leads(ids);
  return null;
end $$;
create trigger parcels_posted_insert after insert on parcels referencing new table as added
  for each statement execute function parcels_posted();
create trigger parcels_posted_update after update on parcels referencing new table as added old table as removed
  for each statement execute function parcels_posted();

-- Leads whose entries a job checks: those of a status whose type changed, of a stream that has another owner, and all
-- that were there before the ledger. The job continues after (next_created_at, next_id).
create table lead_posting_queue (
  id bigint generated always as identity primary key,
  status_id bigint references statuses on delete cascade,
  stream_id bigint references streams on delete cascade,
  next_created_at timestamptz not null default '-infinity',
  next_id bigint not null default 0
);
insert into lead_posting_queue default values;

create function statuses_queue_posting() returns trigger language plpgsql as $$
begin
  insert into lead_posting_queue (status_id) values (new.id);
  return null;
end $$;
create trigger statuses_queue_posting after update on statuses
  for each row when (old.type_id <> new.type_id) execute function statuses_queue_posting();

create function streams_queue_posting() returns trigger language plpgsql as $$
begin
  insert into lead_posting_queue (stream_id) values (new.id);
  return null;
end $$;
create trigger streams_queue_posting after update on streams
  for each row when (old.user_id is distinct from new.user_id) execute function streams_queue_posting();

-- A correction by an admin, against the account adjustments.
create table ledger_adjustments (
  id bigint generated always as identity primary key,
  account_kind text not null constraint ledger_adjustments_account_kind_check check
    (account_kind in ('network', 'courier', 'person', 'fees', 'paid')),
  ref_id bigint not null,
  currency text not null,
  amount numeric(15, 2) not null constraint ledger_adjustments_amount_check check (amount <> 0),
  reason text not null,
  created_by bigint not null constraint ledger_adjustments_created_by_fkey references users,
  created_at timestamptz not null default now()
);
create index ledger_adjustments_created_by on ledger_adjustments (created_by);
