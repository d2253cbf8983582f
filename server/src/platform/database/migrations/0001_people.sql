-- People, roles, sessions, and what admins changed.

create extension if not exists pg_trgm;

create table roles (
  id bigint generated always as identity primary key,
  name text not null,
  code text not null,
  description text,
  type text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index roles_code_key on roles (lower(code));

create table users (
  id bigint generated always as identity primary key,
  username text not null,
  name text not null,
  email text not null,
  password_hash text not null,
  role_id bigint not null constraint users_role_id_fkey references roles,
  extra_id text,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_username_key on users (lower(username));
create index users_role_id on users (role_id);

-- A token is kept as its SHA-256 alone. Idle and absolute expiry are both checked by the server.
create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint sessions_user_id_fkey references users,
  token_hash bytea not null constraint sessions_token_hash_key unique,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

-- Failed sign-ins by key (an account's or an address's), so that limits hold across processes and restarts.
create table sign_in_failures (
  key text primary key,
  failures integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id bigint constraint audit_log_user_id_fkey references users,
  action text not null,
  resource text not null,
  row_id bigint,
  old_values jsonb,
  new_values jsonb
);
create index audit_log_at on audit_log (at desc, id desc);
create index audit_log_row on audit_log (resource, row_id, id desc);

insert into roles (name, code, description) values
  ('Administrator', 'admin', 'Runs the desk'),
  ('User', 'user', 'Follows parcels and own statistics');
