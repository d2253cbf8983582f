-- The owner of an account hears of every change of its credentials where the account was reached before the change: a
-- thief who changes the address or the chat cannot keep it from them.

-- The chat that a notice goes to. Null: the one that its person has when it is sent.
alter table notices add column chat_id text;

create table account_mails (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint account_mails_user_id_fkey references users on delete cascade,
  address text not null,
  event text not null,
  status text not null default 'queued' check (status in ('queued', 'sent', 'refused')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  leased_until timestamptz,
  unsure boolean not null default false,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index account_mails_due on account_mails (next_at, id) where status = 'queued';
create index account_mails_user_id on account_mails (user_id);
create index account_mails_created_at on account_mails (created_at, id);

create function notify_owner(owner_id bigint, event text, address text, chat text) returns void language plpgsql as $$
begin
  insert into account_mails (user_id, address, event) values (owner_id, address, event);
  if chat is not null then
    insert into notices (user_id, kind, once, chat_id, text)
    values (owner_id, 'security', format('security:%s', gen_random_uuid()), chat,
      format('Karvon: %s. Если это сделали не вы, сразу сообщите администратору.', case event
        when 'email' then 'в вашей учётной записи изменён email'
        when 'password' then 'в вашей учётной записи изменён пароль'
        when 'second_factor_on' then 'для вашей учётной записи включён второй фактор'
        when 'second_factor_off' then 'для вашей учётной записи отключён второй фактор'
        when 'telegram_linked' then 'ваша учётная запись связана с другим чатом'
        else 'этот чат больше не связан с вашей учётной записью' end));
  end if;
end $$;

create function notify_credential_changes() returns trigger language plpgsql as $$
declare
  event text;
  chat text := (select chat_id from telegram_links where user_id = old.id);
begin
  foreach event in array array_remove(array[
    case when old.email <> new.email then 'email' end,
    case when old.password_hash <> new.password_hash then 'password' end,
    case when old.second_factor <> new.second_factor
      then case when new.second_factor then 'second_factor_on' else 'second_factor_off' end end], null)
  loop
    perform notify_owner(old.id, event, old.email, chat);
  end loop;
  return null;
end $$;
create trigger users_notify_credential_changes after update of email, password_hash, second_factor on users
  for each row when (old.email <> new.email or old.password_hash <> new.password_hash
    or old.second_factor <> new.second_factor)
  execute function notify_credential_changes();
