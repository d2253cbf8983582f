-- The language of a person's notices, mails and answers of the bot. Null: Russian.
alter table users add column language text
  constraint users_language_check check (language in ('ru', 'uz', 'en'));

-- Until then the chat gets no notices, except those about the security of the account. Infinity: until it is turned off.
alter table telegram_links add column muted_until timestamptz;

-- A notice has the id of its message and the parameters. Its text is written at each attempt to send it, in the language of
-- its person. Older notices have a text alone.
alter table notices
  add column message text,
  add column params jsonb,
  alter column text drop not null,
  add constraint notices_text_check check (text is not null or message is not null) not valid;

create or replace function notice_parcel() returns trigger language plpgsql as $$
begin
  insert into notices (user_id, kind, once, message, params)
  select new.owner_id, case when new.problem is null then 'delivered' else 'problem' end,
    format('parcel:%s:%s', new.id, coalesce(new.problem, 'delivered')),
    'parcel_' || coalesce(new.problem, 'delivered'),
    json_build_object('orderno', new.orderno, 'status', new.status_title)
  from telegram_links l where l.user_id = new.owner_id and l.chat_id is not null
    and case when new.problem is null then l.delivered else l.problems end
    and coalesce(l.muted_until <= now(), true)
    and new.eventtime > parcel_news_since(new.owner_id)
  on conflict (once) do nothing;
  return null;
end $$;

create or replace function notice_withdrawal() returns trigger language plpgsql as $$
begin
  insert into notices (user_id, kind, once, message, params)
  select new.user_id, 'money', format('withdrawal:%s:%s', new.id, new.status), 'withdrawal_' || new.status,
    json_build_object('amount', new.amount::text, 'currency', new.currency, 'day', new.paid_on,
      'reason', left(new.decline_reason, 200))
  from telegram_links l where l.user_id = new.user_id and l.chat_id is not null and l.money
    and coalesce(l.muted_until <= now(), true)
  on conflict (once) do nothing;
  return null;
end $$;

create or replace function notify_owner(owner_id bigint, event text, address text, chat text) returns void
language plpgsql as $$
begin
  insert into account_mails (user_id, address, event) values (owner_id, address, event);
  if chat is not null then
    insert into notices (user_id, kind, once, chat_id, message)
    values (owner_id, 'security', format('security:%s', gen_random_uuid()), chat, 'account_' || event);
  end if;
end $$;
