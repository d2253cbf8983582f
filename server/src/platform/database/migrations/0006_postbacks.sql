-- Postbacks: what networks sent, and what goes on to media buyers' trackers.

-- params: what the hit carried, secrets masked. outcome: created, updated, unchanged, or refused with a reason.
create table postbacks (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  source_id bigint constraint postbacks_source_id_fkey references cpa_sources on delete set null,
  method text not null,
  address text,
  params jsonb not null,
  external_id text,
  word text,
  outcome text not null,
  reason text,
  detail text,
  lead_id bigint constraint postbacks_lead_id_fkey references leads,
  replayed_at timestamptz
);
create index postbacks_at on postbacks (at, id);
create index postbacks_source_at on postbacks (source_id, at, id);
create index postbacks_outcome_at on postbacks (outcome, at, id);
create index postbacks_reason_at on postbacks (reason, at, id) where reason is not null;
create index postbacks_external_id on postbacks (external_id text_pattern_ops, id);
create index postbacks_lead_id on postbacks (lead_id);

-- state: a report column; null for any change of state.
create table postback_templates (
  id bigint generated always as identity primary key,
  name text not null,
  stream_id bigint not null constraint postback_templates_stream_id_fkey references streams,
  state text,
  url text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index postback_templates_stream_id on postback_templates (stream_id, id);
create index postback_templates_name on postback_templates (name, id);
create index postback_templates_state on postback_templates (state, id);
create index postback_templates_created_at on postback_templates (created_at, id);

-- One a change of a lead and a template: what the lead was at that change, and how the sending went.
-- status: queued, sent, same (the URL had been sent already), refused. leased_until: a process is at it until then.
create table outgoing_postbacks (
  id bigint generated always as identity primary key,
  template_id bigint constraint outgoing_postbacks_template_id_fkey references postback_templates on delete set null,
  lead_id bigint not null constraint outgoing_postbacks_lead_id_fkey references leads,
  word text not null,
  state text,
  payout numeric(15, 2) not null,
  changed_at timestamptz not null,
  url text,
  status text not null default 'queued',
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  leased_until timestamptz,
  answer integer,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index outgoing_postbacks_created_at on outgoing_postbacks (created_at, id);
create index outgoing_postbacks_status on outgoing_postbacks (status, created_at, id);
create index outgoing_postbacks_due on outgoing_postbacks (template_id, next_at, id) where status = 'queued';
create index outgoing_postbacks_lead on outgoing_postbacks (lead_id, template_id, id);
create index outgoing_postbacks_template on outgoing_postbacks (template_id, created_at, id);

do $$
declare
  counted text;
begin
  foreach counted in array array['postbacks', 'postback_templates', 'outgoing_postbacks', 'imports'] loop
    execute format('create trigger count_inserted after insert on %I referencing new table as added
      for each statement execute function count_inserted()', counted);
    execute format('create trigger count_deleted after delete on %I referencing old table as removed
      for each statement execute function count_deleted()', counted);
    execute format('insert into row_counts select %L, 0, count(*) from %I', counted, counted);
  end loop;
end $$;
