-- True for a mapping that a new source has from the start and that nobody changed: the mapping of an admin replaces it.
alter table source_statuses add column is_default boolean not null default false;

update source_statuses m set is_default = true from cpa_sources s
where s.id = m.source_id and m.created_at = s.created_at and m.updated_at = m.created_at;
