-- Alert rules. Built-in rules have no owner and no name. A rule with next_at in the future is not evaluated yet.
create table alert_rules (
  id bigint generated always as identity primary key,
  kind text not null constraint alert_rules_kind_check check (kind in ('sync_failing', 'source_silent', 'approve_drop',
    'unmapped_statuses', 'postbacks_refused', 'money_difference', 'metric', 'silence')),
  name text,
  owner_id bigint constraint alert_rules_owner_id_fkey references users on delete cascade,
  is_active boolean not null default true,
  metric text,
  period text,
  condition text,
  against text,
  threshold numeric(18, 2) not null,
  hold_minutes integer not null default 0,
  source_id bigint constraint alert_rules_source_id_fkey references cpa_sources on delete cascade,
  offer_id bigint constraint alert_rules_offer_id_fkey references offers on delete cascade,
  stream_id bigint constraint alert_rules_stream_id_fkey references streams on delete cascade,
  buyer_id bigint constraint alert_rules_buyer_id_fkey references users on delete cascade,
  receiver_role_ids bigint[] not null default '{}',
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint alert_rules_built_in_check check (
    (kind in ('metric', 'silence')) = (owner_id is not null) and (owner_id is null) = (name is null)),
  constraint alert_rules_metric_check check ((kind = 'metric') = (metric is not null)
    and num_nonnulls(metric, period, condition, against) in (0, 4))
);
create index alert_rules_owner_id on alert_rules (owner_id, id);
create index alert_rules_source_id on alert_rules (source_id, id);
create index alert_rules_offer_id on alert_rules (offer_id, id);
create index alert_rules_stream_id on alert_rules (stream_id, id);
create index alert_rules_buyer_id on alert_rules (buyer_id, id);

-- The built-in rules are on. The bound of a money difference is in the currency of the installation.
insert into alert_rules (kind, threshold) values ('sync_failing', 120), ('source_silent', 10), ('approve_drop', 33.33),
  ('unmapped_statuses', 1), ('postbacks_refused', 5), ('money_difference', 1000000);

-- Begin and end of what a rule found. A row without began_at waits for the hold time of its rule. At most one row of a rule
-- and subject has no end: so neither a restart nor a second process tells the same begin again. subject_id 0: the rule as a
-- whole.
create table alert_incidents (
  id bigint generated always as identity primary key,
  rule_id bigint not null constraint alert_incidents_rule_id_fkey references alert_rules on delete cascade,
  subject_kind text not null,
  subject_id bigint not null,
  subject_name text not null,
  value numeric not null,
  threshold numeric not null,
  base numeric,
  pending_since timestamptz not null,
  began_at timestamptz,
  ended_at timestamptz,
  constraint alert_incidents_end_check check (ended_at is null or began_at is not null)
);
create unique index alert_incidents_rule_id_subject_key on alert_incidents (rule_id, subject_kind, subject_id)
  where ended_at is null;
create index alert_incidents_rule_id on alert_incidents (rule_id, subject_kind, subject_id, began_at);
create index alert_incidents_ended_at on alert_incidents (ended_at, id);

-- Whom an incident is for, with the notices of its begin and end. Without the notice of its begin, a person is not told of
-- its end.
create table alert_receivers (
  id bigint generated always as identity primary key,
  incident_id bigint not null constraint alert_receivers_incident_id_fkey references alert_incidents on delete cascade,
  user_id bigint not null constraint alert_receivers_user_id_fkey references users on delete cascade,
  began_notice_id bigint constraint alert_receivers_began_notice_id_fkey references notices on delete set null,
  ended_notice_id bigint constraint alert_receivers_ended_notice_id_fkey references notices on delete set null,
  is_read boolean not null default false,
  snoozed_until timestamptz,
  constraint alert_receivers_incident_id_user_id_key unique (incident_id, user_id)
);
create index alert_receivers_user_id on alert_receivers (user_id, id);
create index alert_receivers_unread on alert_receivers (user_id) where not is_read;
create index alert_receivers_began_notice_id on alert_receivers (began_notice_id) where began_notice_id is not null;
create index alert_receivers_ended_notice_id on alert_receivers (ended_notice_id) where ended_notice_id is not null;

-- Rules whose alerts a person turned off.
create table alert_mutes (
  rule_id bigint not null constraint alert_mutes_rule_id_fkey references alert_rules on delete cascade,
  user_id bigint not null constraint alert_mutes_user_id_fkey references users on delete cascade,
  constraint alert_mutes_key primary key (user_id, rule_id)
);
create index alert_mutes_rule_id on alert_mutes (rule_id);

-- The value of a rule at the start of an hour, for the comparison with its own history.
create table alert_samples (
  rule_id bigint not null constraint alert_samples_rule_id_fkey references alert_rules on delete cascade,
  hour timestamptz not null,
  value numeric not null,
  constraint alert_samples_key primary key (rule_id, hour)
);
create index alert_samples_hour on alert_samples (hour);

-- The last evaluation, so that feeds have time to catch up after a pause.
create table alert_evaluations (
  is_only boolean primary key default true constraint alert_evaluations_is_only_check check (is_only),
  evaluated_at timestamptz
);
insert into alert_evaluations default values;

-- New leads by the time of their arrival. A trigger inserts them, and the job alerts adds them up. Offer and stream 0: none.
-- A lead of an earlier day, such as one of an import, is no sign of life of its source.
create table lead_arrivals (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  source_id bigint not null,
  offer_id bigint not null,
  stream_id bigint not null,
  leads integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);

create table source_hours (
  source_id bigint not null,
  hour timestamptz not null,
  leads integer not null,
  constraint source_hours_key primary key (source_id, hour)
);
create index source_hours_hour on source_hours (hour);

create table stream_arrivals (
  source_id bigint not null,
  offer_id bigint not null,
  stream_id bigint not null,
  last_at timestamptz not null,
  constraint stream_arrivals_key primary key (source_id, offer_id, stream_id)
);
create index stream_arrivals_stream_id on stream_arrivals (stream_id);
create index stream_arrivals_offer_id on stream_arrivals (offer_id);

create function leads_arrived() returns trigger language plpgsql as $$
begin
  insert into lead_arrivals (source_id, offer_id, stream_id, leads)
  select source_id, coalesce(offer_id, 0), coalesce(stream_id, 0), count(*) from added
  where created_at > now() - interval '1 day'
  group by 1, 2, 3;
  return null;
end $$;
create trigger leads_arrived after insert on leads referencing new table as added
  for each statement execute function leads_arrived();

alter table telegram_links add column alerts boolean not null default true;
