-- The code of a role says whether its people are admins. When it changes so that they become admins, or are admins no more, their
-- alert rules read other leads, as after a change of the person's role. So the rules start again.
create function alert_rules_restart_of_role() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(
    select r.id from alert_rules r join users u on u.id = r.owner_id where u.role_id = new.id order by r.id for no key update of r);
begin
  delete from alert_samples where rule_id = any (ids);
  delete from alert_incidents where began_at is null and rule_id = any (ids);
  update alert_incidents set ended_at = now() where ended_at is null and rule_id = any (ids);
  return null;
end $$;
create trigger alert_rules_role_code after update of code on roles for each row
  when ((old.code = 'admin') <> (new.code = 'admin')) execute function alert_rules_restart_of_role();
