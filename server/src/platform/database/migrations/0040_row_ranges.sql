-- How many rows have an id in each range of ids, so that a page far from both ends of a long list is found without
-- reading the keys before it. The ranges have three sizes: the sums of large ranges lead to the smaller ranges in one of
-- them. The slots are those of row_counts.

create table row_ranges (
  table_name text not null,
  size integer not null,
  first_id bigint not null,
  slot integer not null,
  rows integer not null,
  primary key (table_name, size, first_id, slot)
);

-- Writers with the same slot follow each other, because each of them first locks the slot in row_counts: triggers run in
-- the order of their names.
create function count_ranges_inserted() returns trigger language plpgsql as $$
begin
  insert into row_ranges (table_name, size, first_id, slot, rows)
    select tg_table_name, sizes.size, added.id - added.id % sizes.size, pg_backend_pid() % 16, count(*)
    from added, (values (262144), (8192), (256)) sizes (size)
    group by 2, 3 order by 2, 3
    on conflict (table_name, size, first_id, slot) do update set rows = row_ranges.rows + excluded.rows;
  return null;
end $$;

create function count_ranges_deleted() returns trigger language plpgsql as $$
begin
  insert into row_ranges (table_name, size, first_id, slot, rows)
    select tg_table_name, sizes.size, removed.id - removed.id % sizes.size, pg_backend_pid() % 16, -count(*)
    from removed, (values (262144), (8192), (256)) sizes (size)
    group by 2, 3 order by 2, 3
    on conflict (table_name, size, first_id, slot) do update set rows = row_ranges.rows + excluded.rows;
  return null;
end $$;

do $$
declare
  counted text;
begin
  foreach counted in array array['offers', 'streams'] loop
    execute format('create trigger count_ranges_inserted after insert on %I referencing new table as added
      for each statement execute function count_ranges_inserted()', counted);
    execute format('create trigger count_ranges_deleted after delete on %I referencing old table as removed
      for each statement execute function count_ranges_deleted()', counted);
    execute format('insert into row_ranges (table_name, size, first_id, slot, rows)
      select %L, size, id - id %% size, 0, count(*) from %I, (values (262144), (8192), (256)) sizes (size)
      group by 2, 3', counted, counted);
  end loop;
end $$;
