-- The days whose orders a person requested from the courier and that are not fetched yet.
alter table sync_states add column orders_from date, add column orders_to date,
  add constraint sync_states_orders_check check ((orders_from is null) = (orders_to is null) and orders_from <= orders_to);
