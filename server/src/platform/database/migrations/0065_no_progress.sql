-- The problem of parcels without a new event has the name no_progress instead of still, also in saved views.

update saved_views
set address = regexp_replace(regexp_replace(address, '([?&])problem=still(&|$)', '\1problem=no_progress\2'),
  '([?&])still_days=', '\1no_progress_days=')
where address ~ '[?&](problem=still(&|$)|still_days=)' and length(address) <= 1980;
