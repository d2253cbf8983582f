-- What the courier collects for a parcel, who delivers it, and what is in it.
-- cash_on_delivery and insured_price are in the installation's currency; answers and files have them as cod_amount and
-- declared_value. items: an array of objects, as the list answers them. settled_at: when a settlement act of the courier
-- included the parcel; null until then.
alter table parcels
  add column cash_on_delivery numeric(15, 2),
  add column pay_type text
    constraint parcels_pay_type_check check (pay_type in ('CASH', 'CARD', 'NO', 'OTHER', 'OPTION')),
  add column insured_price numeric(15, 2),
  add column courier_code text,
  add column courier_name text,
  add column courier_phone text,
  add column items jsonb,
  add column settled_at timestamptz;

-- Few delivered parcels wait for their money, and a courier carries few of all parcels. Most parcels have one of two
-- pay types: an index on it would not help.
create index parcels_unsettled on parcels (eventtime, id)
  where status_code = 'DELIVERED' and cash_on_delivery > 0 and settled_at is null;
create index parcels_owner_unsettled on parcels (owner_id, eventtime, id)
  where status_code = 'DELIVERED' and cash_on_delivery > 0 and settled_at is null;
create index parcels_courier_code on parcels (courier_code, day, id) where courier_code is not null;
