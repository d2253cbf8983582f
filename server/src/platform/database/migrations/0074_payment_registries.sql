-- A payment registry is a file of withdrawals for the bank. It stays as it was sent, so its payments have their own copy of the
-- name and of the payment details.
create table payment_registries (
  id bigint generated always as identity primary key,
  currency text not null,
  payments integer not null,
  amount numeric(30, 2) not null,
  created_by bigint not null constraint payment_registries_created_by_fkey references users,
  created_at timestamptz not null default now()
);
create index payment_registries_created_at on payment_registries (created_at, id);
create index payment_registries_created_by on payment_registries (created_by);
create trigger count_inserted after insert on payment_registries referencing new table as added
  for each statement execute function count_inserted();
create trigger count_deleted after delete on payment_registries referencing old table as removed
  for each statement execute function count_deleted();

create table registry_payments (
  id bigint generated always as identity primary key,
  registry_id bigint not null constraint registry_payments_registry_id_fkey references payment_registries,
  withdrawal_id bigint not null constraint registry_payments_withdrawal_id_fkey references withdrawals,
  name text not null,
  amount numeric(15, 2) not null,
  details_encrypted text,
  refused_at timestamptz,
  unique (registry_id, withdrawal_id)
);
create index registry_payments_withdrawal_id on registry_payments (withdrawal_id);

-- A sent withdrawal waits for the bank, which pays or refuses it.
alter table withdrawals add column registry_id bigint;
alter table withdrawals add constraint withdrawals_registry_id_fkey foreign key (registry_id)
  references payment_registries not valid;
alter table withdrawals drop constraint withdrawals_status_check;
alter table withdrawals add constraint withdrawals_status_check
  check (status in ('requested', 'approved', 'sent', 'paid', 'declined', 'cancelled')) not valid;
alter table withdrawals add constraint withdrawals_sent_check
  check (status <> 'sent' or registry_id is not null) not valid;

-- A withdrawal that the bank refused is approved again. The person has heard of the approval.
drop trigger withdrawals_notice on withdrawals;
create trigger withdrawals_notice after update of status on withdrawals
  for each row when (old.status <> new.status and new.status in ('approved', 'paid', 'declined')
    and (old.status, new.status) <> ('sent', 'approved'))
  execute function notice_withdrawal();
