-- The money of our accounts at the networks, as the networks list it. kind transaction: an entry of the account, amount
-- with its sign; target_kind: what it concerns, which is the order of lead_id or the withdrawal target_id. kind
-- withdrawal: a payment to us, amount without sign, account masked. key: the network's id, or a hash of the row with a
-- number. created_at is the network's, read_at ours: when the row got its present values.
create table network_transactions (
  id bigint generated always as identity primary key,
  source_credential_id bigint not null
    constraint network_transactions_source_credential_id_fkey references source_credentials,
  source_id bigint not null constraint network_transactions_source_id_fkey references cpa_sources,
  kind text not null constraint network_transactions_kind_check check (kind in ('transaction', 'withdrawal')),
  key text not null,
  amount numeric(15, 2) not null,
  currency text not null,
  type text,
  target_kind text constraint network_transactions_target_kind_check check
    (target_kind in ('order', 'withdrawal', 'other')),
  target_type text,
  target_id text,
  lead_id bigint constraint network_transactions_lead_id_fkey references leads,
  comment text,
  account text,
  status text,
  is_paid boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz not null default now(),
  constraint network_transactions_key unique (source_credential_id, source_id, kind, key)
);
create index network_transactions_source_id on network_transactions (source_id);
create index network_transactions_lead_id on network_transactions (lead_id);
create index network_transactions_unmatched on network_transactions (source_credential_id)
  where target_kind = 'order' and lead_id is null;
create index network_transactions_paid on network_transactions (source_credential_id, source_id) include (amount)
  where is_paid;
