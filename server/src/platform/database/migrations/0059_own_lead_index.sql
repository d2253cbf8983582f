-- concurrent
-- The index of the leads of a stream has the columns by which a person's list is filtered, sorted and counted, so that it reads no
-- rows of leads. See docs/decisions/0044-indexes-of-leads.md.

create index concurrently if not exists leads_stream_list on leads (stream_id, created_at, id)
  include (source_id, offer_id, status_id, payout, updated_at, day, external_id, source_status);

drop index concurrently if exists leads_stream_created;
