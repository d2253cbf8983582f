-- A person's requests to be paid. details_encrypted: the payment details; details: the same, masked.
create table withdrawals (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint withdrawals_user_id_fkey references users,
  currency text not null,
  amount numeric(15, 2) not null constraint withdrawals_amount_check check (amount > 0),
  status text not null default 'requested' constraint withdrawals_status_check check
    (status in ('requested', 'approved', 'paid', 'declined', 'cancelled')),
  details text not null,
  details_encrypted text,
  requested_at timestamptz not null default now(),
  decided_by bigint constraint withdrawals_decided_by_fkey references users,
  decided_at timestamptz,
  decline_reason text,
  paid_on date,
  reference text
);
create index withdrawals_requested_at on withdrawals (requested_at, id);
create index withdrawals_user_id on withdrawals (user_id, requested_at, id);
create index withdrawals_status on withdrawals (status, id);
create index withdrawals_amount on withdrawals (amount, id);
create index withdrawals_paid_on on withdrawals (paid_on, id);
create index withdrawals_decided_by on withdrawals (decided_by);
create trigger count_inserted after insert on withdrawals referencing new table as added
  for each statement execute function count_inserted();
create trigger count_deleted after delete on withdrawals referencing old table as removed
  for each statement execute function count_deleted();
create trigger count_inserted after insert on payout_terms referencing new table as added
  for each statement execute function count_inserted();
create trigger count_deleted after delete on payout_terms referencing old table as removed
  for each statement execute function count_deleted();

-- A person hears in their own chat how their request was answered, unless they chose not to.
alter table telegram_links add column money boolean not null default true;

create function notice_withdrawal() returns trigger language plpgsql as $$
begin
  insert into notices (user_id, kind, once, text)
  select new.user_id, 'money', format('withdrawal:%s:%s', new.id, new.status),
    case new.status
      when 'approved' then format('Выплата %s %s одобрена', new.amount, new.currency)
      when 'paid' then format('Выплата %s %s отправлена %s', new.amount, new.currency, to_char(new.paid_on, 'DD.MM.YYYY'))
      else format('Выплата %s %s отклонена: %s', new.amount, new.currency, left(new.decline_reason, 200)) end
  from telegram_links l where l.user_id = new.user_id and l.chat_id is not null and l.money
  on conflict (once) do nothing;
  return null;
end $$;
create trigger withdrawals_notice after update of status on withdrawals
  for each row when (old.status <> new.status and new.status in ('approved', 'paid', 'declined'))
  execute function notice_withdrawal();
