-- concurrent
-- Lists sort rows without a value last in both directions. The indexes in ascending order give them last only there.
create index concurrently if not exists offers_status_id_last on offers (status_id desc nulls last, id desc);
create index concurrently if not exists offers_source_id_last on offers (source_id desc nulls last, id desc);
create index concurrently if not exists offers_extra_id_last on offers (extra_id desc nulls last, id desc);
create index concurrently if not exists streams_offer_id_last on streams (offer_id desc nulls last, id desc);
create index concurrently if not exists streams_source_id_last on streams (source_id desc nulls last, id desc);
create index concurrently if not exists streams_user_id_last on streams (user_id desc nulls last, id desc);
