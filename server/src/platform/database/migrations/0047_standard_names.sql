-- Columns and stored values have the names that answers and files have, or the standard ones.

-- Values come before columns, because a renamed column locks its table until the end. The log keeps postbacks for 90 days.
update postbacks set reason = 'unmapped_status' where reason = 'unmapped_word';
update postback_templates set url = regexp_replace(url, '\{word\}', '{source_status}', 'gi') where url ~* '\{word\}';
update connectors set description = description - 'manners' || jsonb_build_object('limits', description -> 'manners')
  where description ? 'manners';
update cpa_websites set mapping = mapping - 'manners' || jsonb_build_object('limits', mapping -> 'manners')
  where mapping ? 'manners';

alter table parcels rename column cash_on_delivery to cod_amount;
alter table parcels rename column insured_price to declared_value;

-- sent_times: when the last messages to a chat left.
alter table telegram_chats rename column rests_until to paused_until;
alter table telegram_chats rename column turns to sent_times;

-- next_at: when the next request to the courier may leave.
alter table courier_turns rename to courier_rate_limit;
alter index courier_turns_pkey rename to courier_rate_limit_pkey;
alter table courier_rate_limit rename constraint courier_turns_one_check to courier_rate_limit_one_check;

-- The job `late-leads` has compared the leads up to last_checked_id with parcels.
alter table late_leads rename column seen_id to last_checked_id;

-- The database's time at the last run of the job `clock-set-back`.
alter table database_clock rename column seen_at to stored_at;

-- heartbeat_at: when the process of a running import or sync last reported that it works.
alter table imports rename column seen_at to heartbeat_at;
alter table sync_runs rename column seen_at to heartbeat_at;

alter table sync_runs rename column asked_by to requested_by;
alter table sync_states rename column asked_by to requested_by;
alter table sync_states rename column full_asked_at to full_requested_at;
alter table sync_states rename column good_at to last_success_at;

create or replace function parcel_news_since(owner bigint) returns timestamptz language sql stable as $$
  select coalesce(min(s.last_success_at), now()) - interval '2 days'
  from courier_accounts c join sync_states s on s.courier_account_id = c.id
  where c.user_id = owner and c.is_active
$$;
