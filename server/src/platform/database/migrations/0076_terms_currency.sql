-- The currency of a fixed amount of payout terms. Null: that of each lead.
alter table payout_terms add column currency text
  constraint payout_terms_currency_check check (currency is null or (fixed is not null and currency ~ '^[A-Z]{3}$'));

-- The entries of leads by their present state. The network owes the payout of a sold lead. The owner of the stream earns
-- by the payout terms, without terms the whole payout. The margin has what it receives in the currency of the lead, and what
-- it gives in the currency of the person's amount. With earned_at 'delivered', a parcel of the person, or of nobody,
-- with the lead's order number must also be delivered. Who has earned a lead keeps it, and its first day of availability,
-- when the stream gets another owner or the payout is corrected.
create or replace function lead_ledger_targets(lead_ids bigint[]) returns setof ledger_target language sql stable as $$
  with person_part as (
    select distinct on (cause_id) cause_id, ref_id, available_on from ledger_entries
    where cause_type = 'lead' and cause_id = any (lead_ids) and account_kind = 'person'
    group by cause_id, ref_id, available_on having sum(amount) <> 0
    order by cause_id, available_on
  ),
  lead as (
    select l.id, l.source_id, l.external_id, l.offer_id, l.currency, l.payout, l.day,
      coalesce(p.ref_id, stream.user_id) as person_id, p.available_on
    from leads l
    left join person_part p on p.cause_id = l.id
    left join streams stream on stream.id = l.stream_id
    join statuses status on status.id = l.status_id
    join status_types type on type.id = status.type_id
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
  )
  select entry.* from earned cross join lateral (values
    (id, 'network', source_id, currency, payout, null::date),
    (id, 'person', person_id, person_currency, -person_amount, first_available_on),
    (id, 'margin', 0::bigint, currency, -payout, null),
    (id, 'margin', 0, person_currency, person_amount, null)
  ) entry (cause_id, account_kind, ref_id, currency, amount, available_on)
  where entry.amount <> 0
$$;
