-- What the audit entry of an import has besides its file and its counts, such as the source. A job writes the entry of an import whose
-- process ended.
alter table imports add column details jsonb not null default '{}';
create index imports_running on imports (heartbeat_at) where status = 'running';
