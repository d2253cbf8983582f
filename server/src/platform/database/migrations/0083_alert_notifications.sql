-- A saved rule is evaluated at once. The evaluation itself sets only times in the future.
create trigger notify_jobs after insert or update of next_at on alert_rules
  for each row when (new.is_active and new.next_at <= now()) execute function notify_jobs('alerts');
