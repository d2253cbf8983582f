-- concurrent
-- The list of parcels counts its rows by status. The indexes of days have what it counts, so that it reads no other rows.

create index concurrently if not exists parcels_day_list on parcels (day, id) include (status_code);

drop index concurrently if exists parcels_day;

create index concurrently if not exists parcels_owner_list on parcels (owner_id, day, id) include (status_code);

drop index concurrently if exists parcels_owner_day;
