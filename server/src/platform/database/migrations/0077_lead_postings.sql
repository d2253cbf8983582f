-- The job of lead_posting_queue reads the leads of a status whose type changed. A lead that left this status before the job was not
-- posted: neither its old nor its new status earned. So such a lead is posted by its own change, as one that moves behind the cursor.
create or replace function leads_posted_update() returns trigger language plpgsql as $$
declare
  earning bigint[] := array(
    select s.id from statuses s join status_types t on t.id = s.type_id where t.code = 'sold');
  ids bigint[] := array(
    select id from added where status_id = any (earning)
    union select id from removed where status_id = any (earning));
begin
  if cardinality(ids) > 0 then
    ids := array(
      select a.id from added a join removed r using (id)
      where a.id = any (ids) and (a.status_id, a.payout, a.currency, a.offer_id, a.stream_id, a.day)
        is distinct from (r.status_id, r.payout, r.currency, r.offer_id, r.stream_id, r.day));
  end if;
  if exists (select from lead_posting_queue) then
    ids := ids || array(
      select a.id from added a join removed r using (id)
      where a.created_at <> r.created_at
        or (a.status_id is distinct from r.status_id and r.status_id in (select status_id from lead_posting_queue)));
  end if;
  if cardinality(ids) > 0 then perform post_leads(ids); end if;
  return null;
end $$;

-- As in 0076_terms_currency.sql, except for a lead by which its first owner no longer earns anything: a payout that is corrected to 0, or
-- a parcel that is no longer delivered. Its entries were those of the first owner, with nothing for them, and the next posting of the
-- same lead gave it to the present owner of the stream. Now the first posting does.
create or replace function lead_ledger_targets(lead_ids bigint[]) returns setof ledger_target language sql stable as $$
  with person_part as (
    select distinct on (cause_id) cause_id, ref_id, available_on from ledger_entries
    where cause_type = 'lead' and cause_id = any (lead_ids) and account_kind = 'person'
    group by cause_id, ref_id, available_on having sum(amount) <> 0
    order by cause_id, available_on
  ),
  lead as (
    select l.id, l.source_id, l.external_id, l.offer_id, l.currency, l.payout, l.day, candidate.*
    from leads l
    left join person_part p on p.cause_id = l.id
    left join streams stream on stream.id = l.stream_id
    join statuses status on status.id = l.status_id
    join status_types type on type.id = status.type_id
    cross join lateral (
      select true as has_earned, p.ref_id as person_id, p.available_on where p.ref_id is not null
      union all
      select false, stream.user_id, null where p.ref_id is null or stream.user_id <> p.ref_id
    ) candidate
    where l.id = any (lead_ids) and type.code = 'sold'
  ),
  earned as (
    select lead.*,
      case
        when person_id is null then 0
        when terms.earned_at = 'delivered' and not exists (
          select from parcels p where p.orderno = lead.external_id and p.status_code = 'DELIVERED'
            and (p.owner_id is null or p.owner_id = lead.person_id)) then 0
        else coalesce(terms.fixed, round(payout * coalesce(terms.share, 100) / 100, 2))
      end as person_amount,
      coalesce(terms.currency, lead.currency) as person_currency,
      coalesce(available_on, current_date + coalesce(terms.hold_days, 0)) as first_available_on
    from lead
    left join lateral (
      select * from payout_terms t
      where t.valid_from <= lead.day and (t.user_id is null or t.user_id = lead.person_id)
        and (t.offer_id is null or t.offer_id = lead.offer_id)
      order by (t.user_id is not null) desc, (t.offer_id is not null) desc, t.valid_from desc
      limit 1
    ) terms on true
  ),
  chosen as (
    select distinct on (id) * from earned order by id, (has_earned and person_amount <> 0) desc, has_earned
  )
  select entry.* from chosen cross join lateral (values
    (id, 'network', source_id, currency, payout, null::date),
    (id, 'person', person_id, person_currency, -person_amount, first_available_on),
    (id, 'margin', 0::bigint, currency, -payout, null),
    (id, 'margin', 0, person_currency, person_amount, null)
  ) entry (cause_id, account_kind, ref_id, currency, amount, available_on)
  where entry.amount <> 0
$$;

-- Posts what is missing of earlier changes.
insert into lead_posting_queue (status_id) select null where exists (select from ledger_entries where cause_type = 'lead');
