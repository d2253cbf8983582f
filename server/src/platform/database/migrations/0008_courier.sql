-- Parcels that need a person, notes on them, what people are told, and files on their way to Telegram.

-- problem: why it needs a person, by its newest event; null for none. (No movement for some days is asked of
-- eventtime, and not stored.)
alter table parcels add column problem text generated always as (
  case status_raw when 'UNCONFIRM' then 'not_agreed' when 'DATECHANGE' then 'postponed'
    when 'COURIERCANCELED' then 'refused' when 'COURIERRETURN' then 'refused' when 'LOST' then 'lost' end) stored;
alter table parcels add column courier_account_id bigint
  constraint parcels_courier_account_id_fkey references courier_accounts on delete set null;
create index parcels_problem on parcels (problem, day, id) where problem is not null;
create index parcels_open on parcels (eventtime, id) where status_code not in ('DELIVERED', 'RETURNED');
create index parcels_owner_open on parcels (owner_id, eventtime, id) where status_code not in ('DELIVERED', 'RETURNED');

create table parcel_notes (
  id bigint generated always as identity primary key,
  parcel_id bigint not null constraint parcel_notes_parcel_id_fkey references parcels,
  user_id bigint not null constraint parcel_notes_user_id_fkey references users,
  text text not null,
  created_at timestamptz not null default now()
);
create index parcel_notes_parcel_id on parcel_notes (parcel_id, id);
create index parcel_notes_user_id on parcel_notes (user_id);

-- When to try again, and who is at it: a lease that ran out is of an attempt whose end nobody saw. unsure: some attempt's
-- end is not known, so that Telegram may have it already, or twice.
alter table uploads add column next_at timestamptz not null default now();
alter table uploads add column leased_until timestamptz;
alter table uploads add column unsure boolean not null default false;
create index uploads_due on uploads (next_at, id) where status = 'queued';

-- What Telegram told of a chat. current: the new id of a group that became a supergroup, kept until the settings say so
-- too. rests_until: how long it asked to wait.
create table telegram_chats (
  configured text primary key,
  current text,
  moved_at timestamptz,
  rests_until timestamptz
);

-- A person's own chat, linked by a code that they send to the bot; and which message of its people a bot reads next.
create table telegram_links (
  user_id bigint primary key references users on delete cascade,
  chat_id text,
  code text constraint telegram_links_code_key unique,
  code_until timestamptz,
  parcels boolean not null default true,
  digest boolean not null default false,
  linked_at timestamptz
);
create index telegram_links_chat_id on telegram_links (chat_id);
create table telegram_bots (
  bot text primary key,
  next_update bigint not null
);

-- What people are told in their own chats; once: what it is about, so that nobody is told twice.
create table notices (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint notices_user_id_fkey references users on delete cascade,
  kind text not null,
  once text not null constraint notices_once_key unique,
  text text not null,
  status text not null default 'queued',
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  leased_until timestamptz,
  unsure boolean not null default false,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index notices_due on notices (next_at, id) where status = 'queued';
create index notices_user_id on notices (user_id, id);
create index notices_created_at on notices (created_at);

-- A parcel that was delivered or came to need a person is told in the transaction that says so: never of one that is
-- rolled back, and never missed. What happened more than two days ago (a history that is taken in late) is no news.
create function notice_parcel() returns trigger language plpgsql as $$
begin
  insert into notices (user_id, kind, once, text)
  select new.owner_id, case when new.problem is null then 'delivered' else 'problem' end,
    format('parcel:%s:%s', new.id, coalesce(new.problem, 'delivered')),
    case when new.problem is null then format('Посылка %s доставлена', new.orderno)
      else format('Посылка %s требует внимания: %s', new.orderno, new.status_title) end
  from telegram_links l where l.user_id = new.owner_id and l.chat_id is not null and l.parcels
  on conflict (once) do nothing;
  return null;
end $$;
create trigger notice_inserted after insert on parcels for each row
  when ((new.problem is not null or new.status_code = 'DELIVERED') and new.eventtime > now() - interval '2 days')
  execute function notice_parcel();
create trigger notice_updated after update on parcels for each row
  when ((new.problem is not null and new.problem is distinct from old.problem
      or new.status_code = 'DELIVERED' and old.status_code <> 'DELIVERED')
    and new.eventtime > now() - interval '2 days')
  execute function notice_parcel();
