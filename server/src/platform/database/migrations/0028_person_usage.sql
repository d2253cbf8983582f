-- What each person stores, kept by triggers in the transaction that stores or removes it, so that a quota needs no count.
-- The row's lock makes transactions of one person wait for each other: no two of them see the same free room.

-- Parcels that came from their owner's order file. Nobody knows this of older parcels: they do not count.
alter table parcels add column from_order_file boolean not null default false;

create table person_usage (
  user_id bigint primary key constraint person_usage_user_id_fkey references users on delete cascade,
  upload_count bigint not null default 0,
  upload_bytes bigint not null default 0,
  parcel_count bigint not null default 0
);

create function add_upload_usage(person bigint, files integer, bytes bigint) returns void language sql as $$
  insert into person_usage as p (user_id, upload_count, upload_bytes) values (person, files, bytes)
  on conflict (user_id) do update
    set upload_count = p.upload_count + files, upload_bytes = p.upload_bytes + bytes
$$;

-- An infected upload has no bytes.
create function count_upload_usage() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.infected_with is null then
    perform add_upload_usage(old.user_id, -1, -old.size);
  end if;
  if tg_op <> 'DELETE' and new.infected_with is null then
    perform add_upload_usage(new.user_id, 1, new.size);
  end if;
  return null;
end $$;
create trigger count_usage after insert or delete or update of infected_with on uploads
  for each row execute function count_upload_usage();

create function count_parcel_usage() returns trigger language plpgsql as $$
begin
  insert into person_usage as p (user_id, parcel_count)
    select owner_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed
    where from_order_file and owner_id is not null group by owner_id order by owner_id
  on conflict (user_id) do update set parcel_count = p.parcel_count + excluded.parcel_count;
  return null;
end $$;
create trigger count_usage_inserted after insert on parcels referencing new table as changed
  for each statement execute function count_parcel_usage();
create trigger count_usage_deleted after delete on parcels referencing old table as changed
  for each statement execute function count_parcel_usage();

insert into person_usage (user_id, upload_count, upload_bytes)
  select user_id, count(*), sum(size) from uploads where infected_with is null group by user_id;
