-- The audit log is a list: newest first as it stands, of a person, an action or a resource.
create index audit_log_user on audit_log (user_id, at, id);
create index audit_log_action on audit_log (action, at, id);
create index audit_log_resource on audit_log (resource, at, id);

create trigger count_inserted after insert on audit_log referencing new table as added
  for each statement execute function count_inserted();
create trigger count_deleted after delete on audit_log referencing old table as removed
  for each statement execute function count_deleted();
insert into row_counts select 'audit_log', 0, count(*) from audit_log;
