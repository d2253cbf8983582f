-- Devices that somebody signed in from, each as the SHA-256 of a secret that it keeps: wrong passwords of others do not
-- hold back who signs in from one.
create table known_devices (
  user_id bigint not null constraint known_devices_user_id_fkey references users on delete cascade,
  device_hash bytea not null,
  last_at timestamptz not null default now(),
  primary key (user_id, device_hash)
);
create index known_devices_last_at on known_devices (last_at);

-- A recovery code is the SHA-256 of its salt and itself. Those from before have none.
alter table recovery_codes add column salt bytea not null default '';
