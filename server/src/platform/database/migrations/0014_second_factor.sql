-- A second factor at the sign-in, and the list of who is signed in.

-- In the person's own row, so that a sign-in which waits for it sees it turned on.
alter table users add column second_factor boolean not null default false;

-- Its secret is sealed; until users.second_factor it is only offered. A code works once: last_counter is that of
-- the last one that was taken.
create table second_factors (
  id bigint primary key constraint second_factors_id_fkey references users,
  secret text not null,
  last_counter bigint not null default 0,
  created_at timestamptz not null default now()
);

-- A code that is used is gone. They are long and random, so that a plain hash of one cannot be turned round.
create table recovery_codes (
  user_id bigint not null constraint recovery_codes_user_id_fkey references second_factors on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create index sessions_created_at on sessions (created_at, id);
create index sessions_last_used_at on sessions (last_used_at, id);
create index sessions_address on sessions (address, id);
