-- What a request with an Idempotency-Key did: its repeat answers the same and does nothing.

create table idempotency_keys (
  id bigint generated always as identity primary key,
  -- SHA-256 of who asked for what with which key; the key itself is kept nowhere.
  key_hash bytea not null constraint idempotency_keys_key_hash_key unique,
  -- Of the body, keyed by the key: whoever reads it cannot try out what was sent.
  fingerprint bytea not null,
  -- What the request made, where one that was cut off goes on with it.
  row_id bigint,
  status smallint,
  -- Sealed, since an answer may hold what a person alone may see.
  answer text,
  -- Until then whoever inserted the row is at work on the answer.
  leased_until timestamptz not null,
  created_at timestamptz not null default now()
);
create index idempotency_keys_created_at on idempotency_keys (created_at, id);
