-- The currencies that the leads of a source and a stream have or had, so that reports can name the currencies that they add up. See
-- "Money" in docs/formats.md. 0068_lead_currencies_stored.sql adds those of the leads that are stored already.

-- Stream 0: none. Rows are never changed or deleted. Writers that commit at the same time may store a row each: with a unique key one of
-- them would wait for the other, and deadlock over rows of leads.
create table lead_currencies (
  currency text not null,
  source_id bigint not null,
  stream_id bigint not null,
  id bigint generated always as identity,
  primary key (currency, source_id, stream_id, id)
);
-- For the leads of own streams.
create index lead_currencies_stream on lead_currencies (stream_id, source_id, currency);

create function leads_store_currencies() returns trigger language plpgsql as $$
begin
  insert into lead_currencies (currency, source_id, stream_id)
  select a.currency, a.source_id, a.stream_id
  from (select distinct currency, source_id, coalesce(stream_id, 0) as stream_id from added) a
  where not exists (
    select from lead_currencies c
    where c.currency = a.currency and c.source_id = a.source_id and c.stream_id = a.stream_id
  );
  return null;
end $$;

create trigger leads_store_currencies_insert after insert on leads referencing new table as added
  for each statement execute function leads_store_currencies();
create trigger leads_store_currencies_update after update on leads referencing new table as added
  for each statement execute function leads_store_currencies();
