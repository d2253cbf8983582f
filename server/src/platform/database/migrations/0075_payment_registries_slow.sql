-- concurrent
create index concurrently if not exists withdrawals_registry_id on withdrawals (registry_id, id);
alter table withdrawals validate constraint withdrawals_registry_id_fkey;
alter table withdrawals validate constraint withdrawals_status_check;
alter table withdrawals validate constraint withdrawals_sent_check;
