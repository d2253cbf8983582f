-- concurrent
-- Lists sort texts in any letter case, with ё as е. So the indexes have these texts, as the statements of the lists do.
create index concurrently if not exists offers_name_order on offers (translate(lower(name), 'ё', 'е') collate "C", id);
create index concurrently if not exists offers_store_name_order on offers (translate(lower(store_name), 'ё', 'е') collate "C", id);
create index concurrently if not exists streams_name_order on streams (translate(lower(name), 'ё', 'е') collate "C", id);
create index concurrently if not exists postback_templates_name_order on postback_templates
  (translate(lower(name), 'ё', 'е') collate "C", id);
create index concurrently if not exists courier_tariffs_name_order on courier_tariffs
  (translate(lower(name), 'ё', 'е') collate "C", id);

-- The indexes of offers also find a whole name or store.
drop index concurrently if exists streams_name;
drop index concurrently if exists postback_templates_name;
drop index concurrently if exists courier_tariffs_name;
