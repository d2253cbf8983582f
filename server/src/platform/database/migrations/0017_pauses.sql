-- What must not be missed when nobody asked for a while, and when the database's clock was set back.

-- The database's time when the job `clock-set-back` looked last.
create table database_clock (
  one boolean primary key default true check (one),
  seen_at timestamptz not null
);
insert into database_clock (seen_at) values (now());

-- Since when a person wants the digest; null for those who wanted it before this column was there.
alter table telegram_links add column digest_since timestamptz;

-- An event is news for two days after the last good run of its owner's courier accounts: what happened while nobody
-- asked the courier is told as well, a history that is taken in late is not.
create function parcel_news_since(owner bigint) returns timestamptz language sql stable as $$
  select coalesce(min(s.good_at), now()) - interval '2 days'
  from courier_accounts c join sync_states s on s.courier_account_id = c.id
  where c.user_id = owner and c.is_active
$$;

create or replace function notice_parcel() returns trigger language plpgsql as $$
begin
  insert into notices (user_id, kind, once, text)
  select new.owner_id, case when new.problem is null then 'delivered' else 'problem' end,
    format('parcel:%s:%s', new.id, coalesce(new.problem, 'delivered')),
    case when new.problem is null then format('Посылка %s доставлена', new.orderno)
      else format('Посылка %s требует внимания: %s', new.orderno, new.status_title) end
  from telegram_links l where l.user_id = new.owner_id and l.chat_id is not null
    and case when new.problem is null then l.delivered else l.problems end
    and new.eventtime > parcel_news_since(new.owner_id)
  on conflict (once) do nothing;
  return null;
end $$;

-- Nothing is news for longer than 45 days, however long nobody asked.
drop trigger notice_inserted on parcels;
drop trigger notice_updated on parcels;
create trigger notice_inserted after insert on parcels for each row
  when ((new.problem is not null or new.status_code = 'DELIVERED') and new.eventtime > now() - interval '45 days')
  execute function notice_parcel();
create trigger notice_updated after update on parcels for each row
  when ((new.problem is not null and new.problem is distinct from old.problem
      or new.status_code = 'DELIVERED' and old.status_code <> 'DELIVERED')
    and new.eventtime > now() - interval '45 days')
  execute function notice_parcel();
