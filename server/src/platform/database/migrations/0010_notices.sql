-- People choose by themselves whether they are told of parcels that need a person, and of those that were delivered.
alter table telegram_links rename column parcels to problems;
alter table telegram_links add column delivered boolean not null default true;
update telegram_links set delivered = problems;

create or replace function notice_parcel() returns trigger language plpgsql as $$
begin
  insert into notices (user_id, kind, once, text)
  select new.owner_id, case when new.problem is null then 'delivered' else 'problem' end,
    format('parcel:%s:%s', new.id, coalesce(new.problem, 'delivered')),
    case when new.problem is null then format('Посылка %s доставлена', new.orderno)
      else format('Посылка %s требует внимания: %s', new.orderno, new.status_title) end
  from telegram_links l where l.user_id = new.owner_id and l.chat_id is not null
    and case when new.problem is null then l.delivered else l.problems end
  on conflict (once) do nothing;
  return null;
end $$;
