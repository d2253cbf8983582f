-- Accounts that people ask for by themselves, and links to a new password that are mailed.

-- Registered, and neither switched on nor off by an admin yet; from which address, until then.
alter table users add column waiting boolean not null default false;
alter table users add column registered_from text;
create index users_waiting on users (created_at) where waiting;

-- Addresses that asked for a link, before anybody looked whose they are.
create table reset_requests (
  id bigint generated always as identity primary key,
  email text not null,
  created_at timestamptz not null default now()
);

-- A mail to each person of such an address. The link in it is made when it is sent, and stored nowhere.
create table reset_mails (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint reset_mails_user_id_fkey references users on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'sent', 'refused')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  leased_until timestamptz,
  unsure boolean not null default false,
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index reset_mails_due on reset_mails (next_at, id) where status = 'queued';
create index reset_mails_user_id on reset_mails (user_id, created_at);
create index reset_mails_created_at on reset_mails (created_at, id);

-- A link as the SHA-256 of its token. It is deleted by whoever uses it, and so works once.
create table reset_links (
  token_hash bytea primary key,
  user_id bigint not null constraint reset_links_user_id_fkey references users on delete cascade,
  expires_at timestamptz not null
);
create index reset_links_user_id on reset_links (user_id);

-- Whoever changes a password, an email or whether somebody may sign in, ends the links that were out before.
create function end_reset_links() returns trigger language plpgsql as $$
begin
  delete from reset_links where user_id = new.id;
  delete from reset_mails where user_id = new.id and status = 'queued';
  return null;
end $$;
create trigger users_end_reset_links after update of password_hash, email, is_active on users
  for each row when (old.password_hash <> new.password_hash or old.email <> new.email
    or old.is_active <> new.is_active)
  execute function end_reset_links();
