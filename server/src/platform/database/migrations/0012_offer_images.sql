-- Where a network shows a picture of an offer.
alter table offers add column image_url text;
