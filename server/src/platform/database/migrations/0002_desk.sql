-- CPA sources, statuses, offers, streams. Names of constraints end in _key or _fkey and carry the
-- columns, so that an answer can name the field.

create table cpa_sources (
  id bigint generated always as identity primary key,
  name text not null,
  url text not null,
  description text,
  is_active boolean not null default true,
  postback_key text not null default replace(gen_random_uuid()::text, '-', '')
    constraint cpa_sources_postback_key_key unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table role_source_access (
  id bigint generated always as identity primary key,
  role_id bigint not null constraint role_source_access_role_id_fkey references roles on delete cascade,
  source_id bigint not null constraint role_source_access_source_id_fkey references cpa_sources,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint role_source_access_role_id_source_id_key unique (role_id, source_id)
);
create index role_source_access_source_id on role_source_access (source_id);

create table cpa_websites (
  id bigint generated always as identity primary key,
  name text not null,
  cpa_source_id bigint not null constraint cpa_websites_cpa_source_id_fkey references cpa_sources,
  login_url text,
  finance_url text,
  orders_url text,
  offers_url text,
  streams_url text,
  single_offer_url text,
  img_url text,
  connector text,
  mapping jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index cpa_websites_cpa_source_id on cpa_websites (cpa_source_id);

-- pass, api_key and token are sealed: see kit/seal.ts for the form.
create table source_credentials (
  id bigint generated always as identity primary key,
  name text not null,
  login text,
  pass text,
  api_key text,
  token text,
  token_updated_at timestamptz,
  user_id bigint not null constraint source_credentials_user_id_fkey references users,
  source_id bigint not null constraint source_credentials_source_id_fkey references cpa_sources,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index source_credentials_user_id on source_credentials (user_id);
create index source_credentials_source_id on source_credentials (source_id);

-- code is the report column of a built-in type, fixed whatever its name.
create table status_types (
  id bigint generated always as identity primary key,
  name text not null,
  description text,
  is_active boolean not null default true,
  code text constraint status_types_code_key unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table statuses (
  id bigint generated always as identity primary key,
  name text not null,
  type_id bigint not null constraint statuses_type_id_fkey references status_types,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index statuses_type_id on statuses (type_id);

create table source_statuses (
  id bigint generated always as identity primary key,
  name text not null,
  source_name text not null,
  source_name2 text,
  status_id bigint not null constraint source_statuses_status_id_fkey references statuses,
  source_id bigint not null constraint source_statuses_source_id_fkey references cpa_sources,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index source_statuses_source_name_key on source_statuses (source_id, lower(source_name));
create index source_statuses_status_id on source_statuses (status_id);

-- An offer or a stream that a source names before an admin does has no status, price or owner yet.
create table offers (
  id bigint generated always as identity primary key,
  name text not null,
  price numeric(15, 2) not null default 0,
  affiliate_fee numeric(15, 2) not null default 0,
  store_name text not null default '',
  status_id bigint constraint offers_status_id_fkey references statuses,
  source_id bigint not null constraint offers_source_id_fkey references cpa_sources,
  extra_id text,
  master_offer_id bigint constraint offers_master_offer_id_fkey references offers,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index offers_name on offers (name, id);
create index offers_price on offers (price, id);
create index offers_affiliate_fee on offers (affiliate_fee, id);
create index offers_store_name on offers (store_name, id);
create index offers_status_id on offers (status_id, id);
create index offers_source_id on offers (source_id, id);
create index offers_extra_id on offers (extra_id, id);
create index offers_source_extra on offers (source_id, extra_id);
create index offers_master_offer_id on offers (master_offer_id);
create index offers_created_at on offers (created_at, id);
create index offers_search on offers using gin (name gin_trgm_ops, store_name gin_trgm_ops, extra_id gin_trgm_ops);

create table streams (
  id bigint generated always as identity primary key,
  name text not null,
  url text not null default '',
  offer_name text,
  offer_id bigint constraint streams_offer_id_fkey references offers,
  extra_id text,
  source_id bigint not null constraint streams_source_id_fkey references cpa_sources,
  user_id bigint constraint streams_user_id_fkey references users,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index streams_name on streams (name, id);
create index streams_offer_id on streams (offer_id, id);
create index streams_source_id on streams (source_id, id);
create index streams_source_extra on streams (source_id, extra_id);
create index streams_user_id on streams (user_id, id);
create index streams_created_at on streams (created_at, id);
create index streams_search on streams using gin
  (name gin_trgm_ops, offer_name gin_trgm_ops, extra_id gin_trgm_ops);

insert into status_types (name, code) values
  ('Accepted', 'accepted'), ('Rejected', 'cancel'), ('Recall', 'recall'), ('Sent', 'send'),
  ('Sold', 'sold'), ('Returned', 'returned'), ('Hold', 'hold');
insert into statuses (name, type_id) select name, id from status_types order by id;
