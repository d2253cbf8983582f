-- concurrent
-- Explore reads the days of the shown offers. They are few of all offers.
create index concurrently if not exists offer_totals_offer on offer_totals (offer_id, span, start);
