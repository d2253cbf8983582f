-- Leads and parcels, each with its history; uploads.

-- day: the lead's day in the installation's time zone. word: the source's own status word.
create table leads (
  id bigint generated always as identity primary key,
  source_id bigint not null constraint leads_source_id_fkey references cpa_sources,
  external_id text not null,
  offer_id bigint constraint leads_offer_id_fkey references offers,
  stream_id bigint constraint leads_stream_id_fkey references streams,
  word text not null,
  status_id bigint constraint leads_status_id_fkey references statuses,
  payout numeric(15, 2) not null default 0,
  currency text not null default 'UZS',
  comment text,
  day date not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  constraint leads_source_id_external_id_key unique (source_id, external_id)
);
create index leads_created_at on leads (created_at, id);
create index leads_updated_at on leads (updated_at, id);
create index leads_external_id on leads (external_id, id);
create index leads_payout on leads (payout, id);
create index leads_day on leads (day, source_id);
create index leads_offer_id on leads (offer_id, id);
create index leads_stream_id on leads (stream_id, day);
create index leads_status_id on leads (status_id, id);
create index leads_unmapped on leads (source_id, word) where status_id is null;

-- origin: file, postback, connector, parcel, mapping or admin.
create table lead_history (
  id bigint generated always as identity primary key,
  lead_id bigint not null constraint lead_history_lead_id_fkey references leads,
  word text not null,
  status_id bigint,
  payout numeric(15, 2) not null,
  origin text not null,
  reason text,
  source_time timestamptz not null,
  recorded_at timestamptz not null default now()
);
create index lead_history_lead_id on lead_history (lead_id, id);

-- The newest event stands in the row (status_*, eventtime), the whole history beside it.
-- An order number is its owner's: two shops may both have an order 1.
create table parcels (
  id bigint generated always as identity primary key,
  orderno text not null,
  barcode text,
  owner_id bigint constraint parcels_owner_id_fkey references users,
  day date not null,
  status_code text not null,
  status_raw text,
  status_title text not null,
  eventtime timestamptz not null,
  type_name text,
  weight numeric(12, 3),
  quantity integer,
  service_name text,
  delivery_price numeric(15, 2),
  person text,
  company text,
  phone text,
  address text,
  town text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint parcels_owner_id_orderno_key unique nulls not distinct (owner_id, orderno)
);
create index parcels_orderno on parcels (orderno, id);
create index parcels_day on parcels (day, id);
create index parcels_owner_day on parcels (owner_id, day, id);
create index parcels_status_day on parcels (status_code, day, id);
create index parcels_eventtime on parcels (eventtime, id);
create index parcels_search on parcels using gin
  (orderno gin_trgm_ops, barcode gin_trgm_ops, person gin_trgm_ops, phone gin_trgm_ops,
   company gin_trgm_ops, town gin_trgm_ops);

-- One event once: the same code at the same moment says nothing new.
create table parcel_events (
  id bigint generated always as identity primary key,
  parcel_id bigint not null constraint parcel_events_parcel_id_fkey references parcels,
  code text not null,
  raw_code text not null,
  title text not null,
  eventtime timestamptz not null,
  recorded_at timestamptz not null default now(),
  constraint parcel_events_once_key unique (parcel_id, raw_code, eventtime)
);

-- sha256 names the stored bytes; name is what the person's file was called.
create table uploads (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint uploads_user_id_fkey references users,
  name text not null,
  extension text not null,
  size bigint not null,
  sha256 text not null,
  description text,
  status text not null default 'queued',
  attempts integer not null default 0,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index uploads_created_at on uploads (created_at, id);
create index uploads_status on uploads (status, id);
create index uploads_user_id on uploads (user_id, id);
