-- A change has the stream that its lead had then, because the template can be moved to another stream while the change waits. Null: the
-- change is from before this migration, or a process of the earlier version stored it.
alter table outgoing_postbacks add column stream_id bigint;
