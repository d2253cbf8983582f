-- A saved view that is sent at a time of the day in the time zone of the installation, on weekdays (Monday is 1) or on days of
-- the month. includes_roles: also to the people of the roles that the view is shared with.
create table view_schedules (
  view_id bigint primary key constraint view_schedules_view_id_fkey references saved_views on delete cascade,
  channel text not null constraint view_schedules_channel_check check (channel in ('telegram', 'mail')),
  time time not null,
  weekdays smallint[],
  month_days smallint[],
  includes_roles boolean not null,
  is_active boolean not null,
  next_at timestamptz not null,
  constraint view_schedules_days_check check (num_nonnulls(weekdays, month_days) = 1)
);
create index view_schedules_next_at on view_schedules (next_at, view_id) where is_active;

-- The queue of messages, one for each receiver and due time. sent_parts: how many parts of a message have arrived.
create table view_messages (
  id bigint generated always as identity primary key,
  view_id bigint not null constraint view_messages_view_id_fkey references view_schedules on delete cascade,
  user_id bigint not null constraint view_messages_user_id_fkey references users on delete cascade,
  channel text not null constraint view_messages_channel_check check (channel in ('telegram', 'mail')),
  due_at timestamptz not null,
  sent_parts smallint not null default 0,
  status text not null default 'queued'
    constraint view_messages_status_check check (status in ('queued', 'sent', 'refused')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  leased_until timestamptz,
  unsure boolean not null default false,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  constraint view_messages_view_id_user_id_due_at_key unique (view_id, user_id, due_at)
);
create index view_messages_due on view_messages (next_at, id) where status = 'queued';
create index view_messages_user_id on view_messages (user_id, id);
create index view_messages_created_at on view_messages (created_at, id);

create trigger notify_jobs after insert or update on view_messages
  for each row when (new.status = 'queued' and (new.leased_until is null or new.leased_until <= now()))
  execute function notify_jobs('view-messages');
-- A due time may be nearer than the one that the job waits for.
create trigger notify_jobs after insert or update on view_schedules
  for each row when (new.is_active) execute function notify_jobs('view-schedules');
