-- concurrent
-- The deletion of a courier account read all parcels to remove its references.
create index concurrently if not exists parcels_courier_account_id on parcels (courier_account_id)
  where courier_account_id is not null;
