-- What is remembered so that nothing is missed between two writers, and nobody outside is asked too often.

-- Leads up to this id were looked at: had their parcel come to its end before they came?
create table late_leads (
  one boolean primary key default true check (one),
  seen_id bigint not null
);
insert into late_leads (seen_id) values (0);

-- When the next request to the courier may leave, whichever account and process it is of.
create table courier_turns (
  one boolean primary key default true check (one),
  next_at timestamptz not null
);
insert into courier_turns (next_at) values (now());

-- When a chat was sent something, the last 20 times.
alter table telegram_chats add column turns timestamptz[] not null default '{}';
