-- concurrent
-- Adds the currencies of the leads that were stored before the triggers of 0067_lead_currencies.sql. A batch is its own transaction, and
-- a repeated run adds nothing twice.
do $$
declare
  batch_size constant bigint := 20000;
  newest bigint := (select coalesce(max(id), 0) from leads);
  first bigint := 1;
begin
  while first <= newest loop
    insert into lead_currencies (currency, source_id, stream_id)
    select l.currency, l.source_id, l.stream_id
    from (
      select distinct currency, source_id, coalesce(stream_id, 0) as stream_id
      from leads where id >= first and id < first + batch_size
    ) l
    where not exists (
      select from lead_currencies c
      where c.currency = l.currency and c.source_id = l.source_id and c.stream_id = l.stream_id
    );
    commit;
    first := first + batch_size;
  end loop;
end $$;
