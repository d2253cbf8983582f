-- A batch of leads finds its offers and streams by name. Without these indexes PostgreSQL may choose the trigram index
-- of the text search, which reads it once for each name: measured on PostgreSQL 15, 1.4 s for 66 names.
create index offers_source_name on offers (source_id, name);
create index streams_source_name on streams (source_id, name);
