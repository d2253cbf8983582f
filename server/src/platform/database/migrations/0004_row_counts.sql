-- Exact totals of the lists without counting: a statement adds what it inserted or deleted.
-- Sixteen slots a table keep writers from waiting for each other; a total is their sum.

create table row_counts (
  table_name text not null,
  slot integer not null,
  rows bigint not null,
  primary key (table_name, slot)
);

create function count_inserted() returns trigger language plpgsql as $$
begin
  insert into row_counts (table_name, slot, rows)
    select tg_table_name, pg_backend_pid() % 16, count(*) from added having count(*) > 0
    on conflict (table_name, slot) do update set rows = row_counts.rows + excluded.rows;
  return null;
end $$;

create function count_deleted() returns trigger language plpgsql as $$
begin
  insert into row_counts (table_name, slot, rows)
    select tg_table_name, pg_backend_pid() % 16, -count(*) from removed having count(*) > 0
    on conflict (table_name, slot) do update set rows = row_counts.rows + excluded.rows;
  return null;
end $$;

do $$
declare
  counted text;
begin
  foreach counted in array array['roles', 'users', 'cpa_sources', 'role_source_access', 'cpa_websites',
    'source_credentials', 'status_types', 'statuses', 'source_statuses', 'offers', 'streams', 'leads', 'parcels',
    'uploads'] loop
    execute format('create trigger count_inserted after insert on %I referencing new table as added
      for each statement execute function count_inserted()', counted);
    execute format('create trigger count_deleted after delete on %I referencing old table as removed
      for each statement execute function count_deleted()', counted);
    execute format('insert into row_counts select %L, 0, count(*) from %I', counted, counted);
  end loop;
end $$;
