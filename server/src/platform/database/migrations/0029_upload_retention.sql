-- An upload whose file_removed_at is set is a record without its file. It is set before the file goes.
alter table uploads add column file_removed_at timestamptz;
create index uploads_old_files on uploads (created_at, id) where file_removed_at is null and status in ('sent', 'refused');
create index uploads_file_removed_at on uploads (file_removed_at, id) where file_removed_at is not null;
create index uploads_sha256 on uploads (sha256);

-- A removed file takes no room of its person, like an infected one.
create or replace function count_upload_usage() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.infected_with is null and old.file_removed_at is null then
    perform add_upload_usage(old.user_id, -1, -old.size);
  end if;
  if tg_op <> 'DELETE' and new.infected_with is null and new.file_removed_at is null then
    perform add_upload_usage(new.user_id, 1, new.size);
  end if;
  return null;
end $$;
drop trigger count_usage on uploads;
create trigger count_usage after insert or delete or update of infected_with, file_removed_at on uploads
  for each row execute function count_upload_usage();

-- Stored files that may be without an upload. From due_at on, each is removed unless an upload needs it. A file is noted
-- here before it is stored, and again when its upload loses it: no end of a process leaves a file that nobody removes.
create table file_removals (
  sha256 text primary key,
  due_at timestamptz not null
);

create function note_file_removal() returns trigger language plpgsql as $$
begin
  insert into file_removals (sha256, due_at) values (old.sha256, now()) on conflict (sha256) do nothing;
  return null;
end $$;
create trigger note_file_removal after delete or update of file_removed_at on uploads
  for each row execute function note_file_removal();
