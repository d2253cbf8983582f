-- What Karvon fetches by itself: from CPA networks, by a description that is data, and from the courier.

-- description: how to sign in to a network and read its lists; see contract/src/connectors. Built-in ones come with
-- the product and are written anew at every start.
create table connectors (
  id bigint generated always as identity primary key,
  code text not null,
  name text not null,
  description jsonb not null,
  is_builtin boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index connectors_code_key on connectors (lower(code));

-- An account at the courier's MeaSoft; its parcels are user_id's. pass is sealed.
create table courier_accounts (
  id bigint generated always as identity primary key,
  name text not null,
  url text not null,
  extra text,
  login text not null,
  pass text,
  user_id bigint not null constraint courier_accounts_user_id_fkey references users,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index courier_accounts_user_id on courier_accounts (user_id);

-- One for each account that is fetched: when next, who is at it (a lease that its run renews), how it fares.
-- failures: in a row; paused_until: asked to wait, or given up for a while. progress: where a run stood.
-- memory: what a finished run leaves for the next. good_at: when the last run without any failure ended; before one did,
-- since when the account is known.
create table sync_states (
  id bigint generated always as identity primary key,
  source_credential_id bigint constraint sync_states_source_credential_id_key unique
    references source_credentials on delete cascade,
  courier_account_id bigint constraint sync_states_courier_account_id_key unique
    references courier_accounts on delete cascade,
  next_run_at timestamptz not null default now(),
  asked_by bigint references users on delete set null,
  leased_until timestamptz,
  leased_by text,
  failures integer not null default 0,
  paused_until timestamptz,
  pause_reason text,
  requests_day date,
  requests integer not null default 0,
  progress jsonb,
  memory jsonb,
  balance numeric(18, 2),
  hold numeric(18, 2),
  money_at timestamptz,
  good_at timestamptz not null default now(),
  constraint sync_states_one check (num_nonnulls(source_credential_id, courier_account_id) = 1)
);
create index sync_states_due on sync_states (next_run_at);

-- status: running, done, partial (some of it failed), failed. counts: rows in, created, updated, unchanged, unmapped ...
create table sync_runs (
  id bigint generated always as identity primary key,
  source_credential_id bigint constraint sync_runs_source_credential_id_fkey references source_credentials on delete cascade,
  courier_account_id bigint constraint sync_runs_courier_account_id_fkey references courier_accounts on delete cascade,
  status text not null default 'running',
  asked_by bigint references users on delete set null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  seen_at timestamptz not null default now(),
  phase text,
  counts jsonb not null default '{}',
  error text,
  constraint sync_runs_one check (num_nonnulls(source_credential_id, courier_account_id) = 1)
);
create index sync_runs_started_at on sync_runs (started_at, id);
create index sync_runs_source_credential on sync_runs (source_credential_id, id);
create index sync_runs_courier_account on sync_runs (courier_account_id, id);
create index sync_runs_status on sync_runs (status, started_at, id);

do $$
declare
  counted text;
begin
  foreach counted in array array['connectors', 'courier_accounts', 'sync_runs'] loop
    execute format('create trigger count_inserted after insert on %I referencing new table as added
      for each statement execute function count_inserted()', counted);
    execute format('create trigger count_deleted after delete on %I referencing old table as removed
      for each statement execute function count_deleted()', counted);
    execute format('insert into row_counts select %L, 0, count(*) from %I', counted, counted);
  end loop;
end $$;
