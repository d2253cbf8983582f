-- concurrent
-- One index finds a lead by its source and external id, and sorts and searches external ids. The key of the history finds the
-- changes of a lead. Before, each of them was two indexes. See docs/decisions/0044-indexes-of-leads.md.

create unique index concurrently if not exists leads_external_id_source_id_key
  on leads (external_id text_pattern_ops, source_id);

do $$ begin
  alter table leads drop constraint if exists leads_source_id_external_id_key;
  drop index if exists leads_external_id;
end $$;

create unique index concurrently if not exists lead_history_lead_id_id on lead_history (lead_id, id);

do $$ begin
  if (select indnatts from pg_index where indexrelid = 'lead_history_pkey'::regclass) = 1 then
    alter table lead_history drop constraint lead_history_pkey,
      add constraint lead_history_pkey primary key using index lead_history_lead_id_id;
  end if;
  drop index if exists lead_history_lead_id, lead_history_lead_id_id;
end $$;
