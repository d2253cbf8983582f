-- Settlement acts of the courier, their lines, and what differs from our parcels and tariffs.

-- Days after a delivery until its money is missing; null: 14.
alter table courier_accounts add column settlement_days integer;

-- What was agreed with the courier. A tariff is valid from its day until the next one of the account.
-- cash_percent: of the amount that the courier collects.
create table courier_tariffs (
  id bigint generated always as identity primary key,
  name text not null,
  courier_account_id bigint not null constraint courier_tariffs_courier_account_id_fkey references courier_accounts,
  delivery_fee numeric(15, 2) not null,
  cash_percent numeric(5, 2),
  cash_fee numeric(15, 2),
  valid_from date not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint courier_tariffs_courier_account_id_valid_from_key unique (courier_account_id, valid_from)
);
create index courier_tariffs_name on courier_tariffs (name, id);
create index courier_tariffs_valid_from on courier_tariffs (valid_from, id);
create index courier_tariffs_search on courier_tariffs using gin (name gin_trgm_ops);

-- code: the courier's own id; null for an act of a file. paid_at: null until the courier has paid.
-- correction: what the courier adds to its fees. content_hash: of the whole act as it was read last; header_hash: of its
-- entry in the courier's list. checked_at: null when the lines must be compared again.
create table settlement_acts (
  id bigint generated always as identity primary key,
  courier_account_id bigint not null constraint settlement_acts_courier_account_id_fkey references courier_accounts,
  code text,
  number text not null,
  act_date date not null,
  paid_at date,
  collected numeric(18, 2) not null default 0,
  fees numeric(18, 2) not null default 0,
  correction numeric(18, 2) not null default 0,
  due numeric(18, 2) not null generated always as (collected - fees - correction) stored,
  pay_type text,
  has_signed_copy boolean,
  currency text not null,
  content_hash text not null,
  header_hash text,
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint settlement_acts_courier_account_id_code_key unique (courier_account_id, code)
);
create unique index settlement_acts_courier_account_id_number_act_date_key
  on settlement_acts (courier_account_id, number, act_date) where code is null;
create index settlement_acts_number on settlement_acts (courier_account_id, number, act_date);
create index settlement_acts_act_date on settlement_acts (act_date, id);
create index settlement_acts_paid_at on settlement_acts (paid_at, id);
create index settlement_acts_unchecked on settlement_acts (id) where checked_at is null;
create index settlement_acts_search on settlement_acts using gin (number gin_trgm_ops);

-- occurrence: counts the lines of an act with one order number, from 1. removed_at: when a correction of the act left the
-- line out; the line stays, because money was posted for it.
create table settlement_lines (
  id bigint generated always as identity primary key,
  act_id bigint not null constraint settlement_lines_act_id_fkey references settlement_acts,
  orderno text not null,
  occurrence integer not null,
  code text,
  parcel_id bigint constraint settlement_lines_parcel_id_fkey references parcels,
  order_date date,
  delivered_date date,
  company text,
  collected numeric(15, 2) not null,
  delivery_fee numeric(18, 2) not null,
  cash_fee numeric(18, 2) not null,
  due numeric(18, 2) not null,
  declared_value numeric(15, 2),
  weight numeric(12, 3),
  pay_type text,
  status_title text,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint settlement_lines_act_id_orderno_occurrence_key unique (act_id, orderno, occurrence)
);
create index settlement_lines_act_id on settlement_lines (act_id, id);
create index settlement_lines_parcel_id on settlement_lines (parcel_id, act_id);

-- A difference is of a line, or of a parcel that is missing from every act. difference: how much more than expected the
-- courier pays because of it. resolved_by: null while open, and when a correction of the act explained it.
create table settlement_differences (
  id bigint generated always as identity primary key,
  courier_account_id bigint not null constraint settlement_differences_courier_account_id_fkey references courier_accounts,
  line_id bigint constraint settlement_differences_line_id_fkey references settlement_lines,
  parcel_id bigint constraint settlement_differences_parcel_id_fkey references parcels,
  orderno text not null,
  kind text not null constraint settlement_differences_kind_check check
    (kind in ('unknown_order', 'amount', 'fee', 'settled_twice', 'not_delivered', 'missing')),
  expected numeric,
  actual numeric,
  difference numeric not null,
  status text not null default 'open' constraint settlement_differences_status_check check (status in ('open', 'resolved')),
  assignee_id bigint constraint settlement_differences_assignee_id_fkey references users,
  reason text,
  resolved_by bigint constraint settlement_differences_resolved_by_fkey references users,
  resolved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint settlement_differences_line_id_kind_key unique (line_id, kind),
  constraint settlement_differences_one check ((kind = 'missing') = (line_id is null) and (line_id is not null or parcel_id is not null))
);
create unique index settlement_differences_parcel_id_key on settlement_differences (parcel_id) where kind = 'missing';
create index settlement_differences_created_at on settlement_differences (created_at, id);
create index settlement_differences_status on settlement_differences (status, kind, id);
create index settlement_differences_parcel on settlement_differences (parcel_id);
create index settlement_differences_courier_account_id on settlement_differences (courier_account_id, id);
create index settlement_differences_assignee_id on settlement_differences (assignee_id, id);
create index settlement_differences_resolved_by on settlement_differences (resolved_by);
create index settlement_differences_search on settlement_differences using gin (orderno gin_trgm_ops);

create table settlement_notes (
  id bigint generated always as identity primary key,
  difference_id bigint not null constraint settlement_notes_difference_id_fkey references settlement_differences,
  user_id bigint not null constraint settlement_notes_user_id_fkey references users,
  text text not null,
  created_at timestamptz not null default now()
);
create index settlement_notes_difference_id on settlement_notes (difference_id, id);
create index settlement_notes_user_id on settlement_notes (user_id);

do $$
declare
  counted text;
begin
  foreach counted in array array['courier_tariffs', 'settlement_acts', 'settlement_differences'] loop
    execute format('create trigger count_inserted after insert on %I referencing new table as added
      for each statement execute function count_inserted()', counted);
    execute format('create trigger count_deleted after delete on %I referencing old table as removed
      for each statement execute function count_deleted()', counted);
  end loop;
end $$;
