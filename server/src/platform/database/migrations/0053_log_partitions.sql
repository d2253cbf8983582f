-- concurrent
-- Logs are tables with a partition for each month in UTC, which is dropped instead of deleted row by row. A log that stays for ever has
-- one for each year, because each partition costs each list some planning. The partitions of a log cover all times: `_before` has what
-- is older than the first month or year, `_rest` what is newer than the last one. So no row is refused. There is no default
-- partition: with one, PostgreSQL merges all partitions to sort by time. See docs/decisions/0036-log-partitions.md.

-- Rows of a partition are from starts_at on and before ends_at.
create or replace view log_partitions as
  select parent.relname::text as log, part.relname::text as name,
    coalesce(substring(bound from $$FROM \('([^']+)'\)$$)::timestamptz, '-infinity') as starts_at,
    coalesce(substring(bound from $$TO \('([^']+)'\)$$)::timestamptz, 'infinity') as ends_at
  from pg_inherits i
  join pg_class parent on parent.oid = i.inhparent and parent.relkind = 'p'
  join pg_class part on part.oid = i.inhrelid
  cross join pg_get_expr(part.relpartbound, part.oid) bound
  where parent.relnamespace = current_schema()::regnamespace;

-- Removes what default privileges of the owner gave others: a right to a partition would go round the rights of its log.
create or replace function revoke_grants(name text) returns void language plpgsql as $$
declare
  grantee text;
begin
  for grantee in
    select distinct case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end
    from pg_class c cross join aclexplode(c.relacl) a where c.oid = name::regclass and a.grantee <> c.relowner
  loop
    execute format('revoke all on %I from %s', name, grantee);
  end loop;
end $$;

create or replace function add_log_partition(log text, name text, starts_at timestamptz, ends_at timestamptz) returns void
language plpgsql as $$
begin
  execute format('create table %I partition of %I for values from (%s) to (%s)', name, log,
    case when isfinite(starts_at) then quote_literal(starts_at) else 'minvalue' end,
    case when isfinite(ends_at) then quote_literal(ends_at) else 'maxvalue' end);
  -- A key of the log would have to contain the time. Ids are unique in the log because one sequence gives them.
  execute format('alter table %I add primary key (id)', name);
  perform revoke_grants(name);
end $$;

-- Locks the tables that a log refers to, and then the log: in the order in which writers lock them.
create or replace function lock_log(log text, referenced_mode text) returns void language plpgsql as $$
declare
  referenced text;
begin
  for referenced in
    select distinct c.confrelid::regclass::text from pg_constraint c where c.conrelid = log::regclass and c.contype = 'f'
    order by 1 desc
  loop
    execute format('lock table %s in %s mode', referenced, referenced_mode);
  end loop;
  execute format('lock table %I in access exclusive mode', log);
end $$;

-- Creates the partitions of the present month or year (`unit`) and of `ahead` more, and returns their number. Rows that have arrived
-- in `_rest` meanwhile stay where they are: their partition gets an end and the name of its first month.
create or replace function create_log_partitions(log text, unit text, ahead integer) returns integer
language plpgsql security definer set timezone = 'UTC' as $$
declare
  rest text := log || '_rest';
  step interval := '1 ' || unit;
  present timestamptz := date_trunc(unit, now());
  stop timestamptz := present + (ahead + 1) * step;
  start timestamptz;
  ready timestamptz;
  is_filled boolean;
  filled text;
  created integer := 0;
begin
  if not has_table_privilege(session_user, log, 'insert') then
    raise insufficient_privilege using message = format('no right to insert into %I', log);
  end if;
  select p.starts_at into strict start from log_partitions p where p.log = $1 and p.name = rest;
  if start >= stop then
    return 0;
  end if;
  perform lock_log(log, 'share row exclusive');
  execute format('select exists (select from %I)', rest) into is_filled;
  if is_filled then
    filled := log || to_char(start, '_YYYY_MM');
    ready := greatest(start, present) + step;
    execute format('alter table %I detach partition %I', log, rest);
    execute format('alter table %I rename to %I', rest, filled);
  else
    ready := start;
    execute format('drop table %I', rest);
  end if;
  perform add_log_partition(log, rest, stop, 'infinity');
  while ready + created * step < stop loop
    perform add_log_partition(log, log || to_char(ready + created * step, '_YYYY_MM'),
      ready + created * step, ready + (created + 1) * step);
    created := created + 1;
  end loop;
  if is_filled then
    -- Rows of later times: the clock of the database was ahead. They are counted already.
    execute format('alter table %I disable trigger user', log);
    execute format('with later as (delete from %I where at >= %L returning *)
      insert into %I overriding system value select * from later', filled, ready, log);
    execute format('alter table %I enable trigger user', log);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, filled, start, ready);
    created := created + 1;
  end if;
  return created;
end $$;

-- Drops the partitions whose rows are all older than `days`, and returns their number. Until the last moment only writers of these
-- old rows wait. The caller needs the right to delete rows of the log.
create or replace function drop_log_partitions(log text, days integer) returns integer
language plpgsql security definer set timezone = 'UTC' as $$
declare
  before text := log || '_before';
  expired text[];
  expired_until timestamptz;
  name text;
  counted bigint;
  total bigint := 0;
begin
  if not has_table_privilege(session_user, log, 'delete') then
    raise insufficient_privilege using message = format('no right to delete from %I', log);
  end if;
  select array_agg(p.name), max(p.ends_at) into expired, expired_until
    from log_partitions p where p.log = $1 and p.ends_at <= now() - make_interval(days => days);
  if expired is null then
    return 0;
  end if;
  foreach name in array expired loop
    execute format('lock table %I in share mode', name);
    execute format('select count(*) from %I', name) into counted;
    total := total + counted;
  end loop;
  if expired = array[before] and total = 0 then
    return 0;
  end if;
  perform lock_log(log, 'share row exclusive');
  foreach name in array expired loop
    execute format('drop table %I', name);
  end loop;
  perform add_log_partition(log, before, '-infinity', expired_until);
  insert into row_counts (table_name, slot, rows) values (log, 0, -total)
    on conflict (table_name, slot) do update set rows = row_counts.rows + excluded.rows;
  return cardinality(expired);
end $$;

-- The functions run as the owner: they must not find tables of others.
do $$
declare
  signature text;
begin
  foreach signature in array array['create_log_partitions(text, text, integer)', 'drop_log_partitions(text, integer)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
  end loop;
end $$;

-- The present table becomes the partition `_before`. It lasts a month more at least, so that no row is refused while its constraint
-- is being validated, or later if the clock of the database was ahead once. Each step is its own transaction, and a repeated run
-- continues.
do $$
declare
  log text;
  unit text;
  before text;
  bound text;
  newest timestamptz;
  definitions text[];
  definition text;
  name text;
  last_id bigint;
  is_called boolean;
begin
  foreach log in array array['postbacks', 'audit_log'] loop
    continue when exists (select from pg_class c where c.oid = log::regclass and c.relkind = 'p');
    unit := case log when 'audit_log' then 'year' else 'month' end;
    before := log || '_before';
    if not exists (select from pg_constraint c where c.conrelid = log::regclass and c.conname = 'before_check') then
      execute format('select greatest(max(at), now() + interval ''1 month'') from %I', log) into newest;
      execute format('alter table %I add constraint before_check check (at < %L) not valid', log,
        (date_trunc(unit, newest at time zone 'UTC') + ('1 ' || unit)::interval) at time zone 'UTC');
      commit;
    end if;
    execute format('alter table %I validate constraint before_check', log);
    commit;

    perform lock_log(log, 'access exclusive');
    select substring(pg_get_constraintdef(c.oid) from '''([^'']+)''') into strict bound
      from pg_constraint c where c.conrelid = log::regclass and c.conname = 'before_check';
    definitions := array(
      select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = log::regclass and not i.indisprimary
      union all
      select format('alter table %I add constraint %I %s', log, c.conname, pg_get_constraintdef(c.oid))
        from pg_constraint c where c.conrelid = log::regclass and c.contype = 'f'
      union all
      select pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = log::regclass and not t.tgisinternal
      union all
      select format('grant %s on %I to %s', a.privilege_type, log,
          case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end)
        from pg_class c cross join aclexplode(c.relacl) a where c.oid = log::regclass and a.grantee <> c.relowner);
    for name in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = log::regclass loop
      execute format('alter index %I rename to %I', name, replace(name, log, before));
    end loop;
    for name in select t.tgname from pg_trigger t where t.tgrelid = log::regclass and not t.tgisinternal loop
      execute format('drop trigger %I on %I', name, log);
    end loop;
    execute format('select last_value, is_called from %I', log || '_id_seq') into last_id, is_called;
    execute format('alter table %I alter column id drop identity', log);
    execute format('alter table %I rename to %I', log, before);
    perform revoke_grants(before);

    execute format('create table %I (like %I including defaults) partition by range (at)', log, before);
    execute format('alter table %I alter column id add generated always as identity', log);
    perform setval(pg_get_serial_sequence(log, 'id'), last_id, is_called);
    perform revoke_grants(log);
    foreach definition in array definitions loop
      execute definition;
    end loop;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', log, before, bound);
    execute format('alter table %I drop constraint before_check', before);
    perform add_log_partition(log, log || '_rest', bound::timestamptz, 'infinity');
    perform create_log_partitions(log, unit, case unit when 'year' then 1 else 3 end);
    commit;
  end loop;
end $$;
