-- The columns of leads have the standard names: the status text of a network is the source status.
-- No function or trigger names these columns. PostgreSQL renames them in the indexes.

alter table leads rename column word to source_status;
alter table lead_history rename column word to source_status;
alter table postbacks rename column word to source_status;
alter table outgoing_postbacks rename column word to source_status;
-- In lower case.
alter table lead_remaps rename column word to source_status;

alter index leads_word rename to leads_source_status;
alter table lead_remaps rename constraint lead_remaps_source_id_word_key to lead_remaps_source_id_source_status_key;

-- True after an admin or a parcel set the status, until the source reports another source status.
alter table leads add column is_status_overridden boolean not null default false;
-- No figure of a report changes, so the triggers have nothing to count.
alter table leads disable trigger user;
update leads set is_status_overridden = true where not by_word;
alter table leads enable trigger user;
alter table leads drop column by_word;
