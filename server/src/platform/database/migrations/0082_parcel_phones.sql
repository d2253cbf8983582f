-- concurrent
-- A search finds a phone number with any separators. So the index has the numbers without them, as the statement of the search does.
create index concurrently if not exists parcels_text_search on parcels using gin
  (orderno gin_trgm_ops, barcode gin_trgm_ops, person gin_trgm_ops, translate(phone, E' ()+-./\u00A0', '') gin_trgm_ops,
   company gin_trgm_ops, town gin_trgm_ops);

drop index concurrently if exists parcels_search;
