-- A rule filters by several ids of a kind. An empty list: all. Id 0 of an offer, a stream or a buyer: leads without one.
alter table alert_rules
  add column source_ids bigint[] not null default '{}',
  add column offer_ids bigint[] not null default '{}',
  add column stream_ids bigint[] not null default '{}',
  add column buyer_ids bigint[] not null default '{}';
update alert_rules set source_ids = array_remove(array[source_id], null), offer_ids = array_remove(array[offer_id], null),
  stream_ids = array_remove(array[stream_id], null), buyer_ids = array_remove(array[buyer_id], null)
where num_nonnulls(source_id, offer_id, stream_id, buyer_id) > 0;
alter table alert_rules drop column source_id, drop column offer_id, drop column stream_id, drop column buyer_id;

-- A deleted row leaves the rules that name it. A rule that names nothing else is deleted, because it would find all leads.
create function alert_rules_forget() returns trigger language plpgsql as $$
begin
  execute format('delete from alert_rules where %1$I = array[$1]', tg_argv[0]) using old.id;
  execute format('update alert_rules set %1$I = array_remove(%1$I, $1) where $1 = any(%1$I)', tg_argv[0]) using old.id;
  return null;
end $$;
create trigger alert_rules_source after delete on cpa_sources for each row execute function alert_rules_forget('source_ids');
create trigger alert_rules_offer after delete on offers for each row execute function alert_rules_forget('offer_ids');
create trigger alert_rules_stream after delete on streams for each row execute function alert_rules_forget('stream_ids');
create trigger alert_rules_buyer after delete on users for each row execute function alert_rules_forget('buyer_ids');

-- With another role a rule reads other leads: it starts anew, and what it found for the former role is told to nobody.
create function alert_rules_restart() returns trigger language plpgsql as $$
begin
  perform from alert_rules where owner_id = new.id order by id for no key update;
  delete from alert_samples where rule_id in (select id from alert_rules where owner_id = new.id);
  delete from alert_incidents where began_at is null and rule_id in (select id from alert_rules where owner_id = new.id);
  update alert_incidents set ended_at = now()
  where ended_at is null and rule_id in (select id from alert_rules where owner_id = new.id);
  return null;
end $$;
create trigger alert_rules_role after update of role_id on users for each row when (old.role_id <> new.role_id)
  execute function alert_rules_restart();
