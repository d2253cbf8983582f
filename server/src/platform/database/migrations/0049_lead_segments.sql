-- The columns of the leads of a day, as arrays of codes, for questions of Explore that no rollup answers. See
-- docs/decisions/0034-lead-segments.md.

-- The texts of leads by their codes: 1, 2, 3 and so on for each dimension. A lead without the text has code 0.
create table lead_texts (
  dimension text not null,
  code integer not null,
  text text not null,
  primary key (dimension, code)
);
create unique index lead_texts_dimension_text_key on lead_texts (dimension, text);

-- Some leads of a day. Each column has one number for each lead, in the same order of leads, of 1, 2 or 4 bytes with the
-- highest byte first. An id is its own code; 0: none. Null: the values do not fit.
create table lead_segments (
  day date not null,
  part integer not null,
  leads integer not null,
  time_zone text not null,
  source bytea,
  offer bytea,
  stream bytea,
  status bytea,
  hour bytea,
  region bytea,
  cancel_reason bytea,
  sub1 bytea,
  sub2 bytea,
  sub3 bytea,
  -- In hundredths. The largest one, without its sign, bounds their sum.
  payout bytea,
  largest_payout integer,
  primary key (day, part)
);
-- A question reads few columns. Compressed columns take longer to read than to fetch.
alter table lead_segments
  alter source set storage external, alter offer set storage external, alter stream set storage external,
  alter status set storage external, alter hour set storage external, alter region set storage external,
  alter cancel_reason set storage external, alter sub1 set storage external, alter sub2 set storage external,
  alter sub3 set storage external, alter payout set storage external;

-- The days whose leads changed after their segments were built. A row for each change, so that writers do not wait for each
-- other. A day without rows is exactly what its segments say.
create table lead_day_changes (
  day date not null,
  id bigint generated always as identity,
  primary key (day, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);

do $$
declare
  way record;
begin
  for way in
    select * from (values
      ('insert', 'referencing new table as added', 'select day from added'),
      ('delete', 'referencing old table as removed', 'select day from removed'),
      ('update', 'referencing new table as added old table as removed', 'select day from added union select day from removed')
    ) ways (event, tables, days)
  loop
    execute format($f$
      create function leads_change_days_%1$s() returns trigger language plpgsql as $t$
      begin
        insert into lead_day_changes (day) select distinct day from (%3$s) d;
        return null;
      end $t$;
      create trigger leads_change_days_%1$s after %1$s on leads %2$s
        for each statement execute function leads_change_days_%1$s()
    $f$, way.event, way.tables, way.days);
  end loop;
end $$;

-- All leads that are there. The triggers keep writers away until the end of the migration.
insert into lead_day_changes (day)
select start from source_totals where span = 1 union select day from lead_deltas;
