-- The leads of a segment by the owners of their streams, so that a question about the leads of one person reads these alone. See
-- docs/decisions/0038-own-slices.md.

-- The users that streams belonged to before (0: none), for questions that read segments of that time. The numbers of changes rise in
-- the order of commits, because of the lock. Rows are never deleted, so that no number is given twice after a restore.
create table stream_former_owners (
  stream_id bigint not null,
  user_id bigint not null,
  change bigint not null generated always as identity,
  primary key (stream_id, user_id)
);
create index stream_former_owners_change on stream_former_owners (change);

create function streams_keep_former_owner() returns trigger language plpgsql as $$
begin
  perform stream_owners_lock();
  insert into stream_former_owners (stream_id, user_id) values (old.id, coalesce(old.user_id, 0))
  on conflict (stream_id, user_id) do update set change = default;
  return null;
end $$;
create trigger streams_former_owner after update on streams
  for each row when (old.user_id is distinct from new.user_id) execute function streams_keep_former_owner();

-- A slice is a run of leads in all columns of a segment. Its key is the owner of their streams; of a stream without an owner, the
-- negative stream; without a stream, 0. `slice_starts` counts the leads before each slice, and `owner_change` is the last change of
-- an owner that the slices know. Null: the segment was built before there were slices.
alter table lead_segments add column slices integer[], add column slice_starts integer[], add column owner_change bigint;
