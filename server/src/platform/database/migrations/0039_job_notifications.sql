-- Triggers name the jobs that have work, in the transaction of the work, on the channel karvon_jobs. The arguments are names
-- of jobs.
create function notify_jobs() returns trigger language plpgsql as $$
begin
  for n in 0 .. tg_nargs - 1 loop
    perform pg_notify('karvon_jobs', tg_argv[n]);
  end loop;
  return null;
end $$;

-- The same at most twice a second for each table and connection, for tables that each ingest writes: PostgreSQL commits
-- transactions with notifications one after another. The jobs wait longer than that before they run.
create function notify_jobs_seldom() returns trigger language plpgsql as $$
declare
  setting text := 'karvon.notified_' || tg_table_name;
  seconds float8 := extract(epoch from clock_timestamp());
begin
  if abs(seconds - coalesce(nullif(current_setting(setting, true), ''), '0')::float8) < 0.5 then
    return null;
  end if;
  perform set_config(setting, seconds::text, false);
  for n in 0 .. tg_nargs - 1 loop
    perform pg_notify('karvon_jobs', tg_argv[n]);
  end loop;
  return null;
end $$;

-- Messages that no process has leased, due now or later.
create trigger notify_jobs after insert or update on uploads
  for each row when (new.status = 'queued' and (new.leased_until is null or new.leased_until <= now()))
  execute function notify_jobs('uploads');
create trigger notify_jobs after insert or update on notices
  for each row when (new.status = 'queued' and (new.leased_until is null or new.leased_until <= now()))
  execute function notify_jobs('notices');
create trigger notify_jobs after insert or update on account_mails
  for each row when (new.status = 'queued' and (new.leased_until is null or new.leased_until <= now()))
  execute function notify_jobs('account-mails');
create trigger notify_jobs after insert or update on outgoing_postbacks
  for each row when (new.status = 'queued' and (new.leased_until is null or new.leased_until <= now()))
  execute function notify_jobs('outgoing-postbacks');
-- Not after an update: the job itself makes an upload due when the scanner does not answer.
create trigger notify_scans after insert on uploads
  for each row when (new.status = 'scanning') execute function notify_jobs('upload-scans');

-- Accounts that are due now, and what makes an account active.
create trigger notify_jobs after insert or update of next_run_at, leased_until, paused_until on sync_states
  for each row when (new.next_run_at <= now() and coalesce(new.leased_until, now()) <= now()
    and coalesce(new.paused_until, now()) <= now())
  execute function notify_jobs('syncs');
create trigger notify_jobs after insert or update of user_id, source_id on source_credentials
  for each statement execute function notify_jobs('syncs');
create trigger notify_jobs after insert or update of user_id, is_active on courier_accounts
  for each statement execute function notify_jobs('syncs');
create trigger notify_jobs after insert or update of connector, cpa_source_id on cpa_websites
  for each statement execute function notify_jobs('syncs');

create trigger notify_jobs after insert or update on lead_remaps
  for each statement execute function notify_jobs('lead-remaps');
create trigger notify_jobs after insert on lead_posting_queue
  for each row execute function notify_jobs('post-queued-leads');
create trigger notify_jobs after update of checked_at on settlement_acts
  for each row when (new.checked_at is null) execute function notify_jobs('settlement-differences');

create trigger notify_jobs after insert on lead_deltas
  for each statement execute function notify_jobs_seldom('fold-lead-deltas', 'late-leads');
create trigger notify_jobs after insert on ledger_deltas
  for each statement execute function notify_jobs_seldom('fold-ledger-deltas');
