-- concurrent
-- Events and settlement acts of a courier account find a parcel by the account and the order number. An account has at most one parcel
-- with an order number. The index of 0072 is a part of this one.
create unique index concurrently if not exists parcels_courier_account_id_orderno_key on parcels (courier_account_id, orderno)
  where courier_account_id is not null;

-- The job of differences reads the delivered parcels of an account that are in no act. They are few.
create index concurrently if not exists parcels_account_unsettled on parcels (courier_account_id, eventtime, id)
  where courier_account_id is not null and status_code = 'DELIVERED' and cod_amount > 0 and settled_at is null;

drop index concurrently if exists parcels_courier_account_id;
