-- A rule starts when it is created, when it changes what it reads or finds, and when its owner gets a role that reads other leads.
-- From then on it awaits its first lead. Before this migration a rule awaited it from the creation of the rule, or of what it names.
alter table alert_rules add column started_at timestamptz;
update alert_rules r set started_at = greatest(r.created_at,
  (select min(n.created_at) from cpa_sources n where n.id = any (r.source_ids)),
  (select min(n.created_at) from offers n where n.id = any (r.offer_ids) and not 0 = any (r.offer_ids)),
  (select min(n.created_at) from streams n where n.id = any (r.stream_ids) and not 0 = any (r.stream_ids)),
  (select min(n.created_at) from users n where n.id = any (r.buyer_ids) and not 0 = any (r.buyer_ids)));
alter table alert_rules alter column started_at set default now(), alter column started_at set not null;

-- Since when the rule of an open incident has had nothing to compare for its subject; null while it compares.
alter table alert_incidents add column no_data_since timestamptz, add column ended_without_data boolean not null default false;

-- What the rule of an incident read when the incident began, by the columns of alert_rules. The rule may change later. Null for
-- incidents from before this migration.
alter table alert_incidents add column rule_values jsonb;

create or replace function alert_rules_restart() returns trigger language plpgsql as $$
begin
  perform from alert_rules where owner_id = new.id order by id for no key update;
  update alert_rules set started_at = now() where owner_id = new.id;
  delete from alert_samples where rule_id in (select id from alert_rules where owner_id = new.id);
  delete from alert_incidents where began_at is null and rule_id in (select id from alert_rules where owner_id = new.id);
  update alert_incidents set ended_at = now()
  where ended_at is null and rule_id in (select id from alert_rules where owner_id = new.id);
  return null;
end $$;

create or replace function alert_rules_restart_of_role() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(
    select r.id from alert_rules r join users u on u.id = r.owner_id where u.role_id = new.id order by r.id for no key update of r);
begin
  update alert_rules set started_at = now() where id = any (ids);
  delete from alert_samples where rule_id = any (ids);
  delete from alert_incidents where began_at is null and rule_id = any (ids);
  update alert_incidents set ended_at = now() where ended_at is null and rule_id = any (ids);
  return null;
end $$;
