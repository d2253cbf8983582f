-- concurrent
-- The next_at of a refused postback is the time of its refusal. The alert rule counts the refused postbacks of the last hour.
create index concurrently if not exists outgoing_postbacks_refused on outgoing_postbacks (next_at, template_id)
  where status = 'refused';
