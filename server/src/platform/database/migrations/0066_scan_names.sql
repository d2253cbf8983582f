-- The stored progress of syncs and the counts of runs use the names of the glossary.

update sync_states set memory = replace(replace(replace(replace(replace(replace(memory::text,
  '"full_begun_at":', '"last_full_scan_at":'),
  '"begun_at":', '"started_at":'),
  '"last_whole":', '"last_complete_scan":'),
  '"whole_runs":', '"complete_scans":'),
  '"open_since":', '"open_leads_since":'),
  '"full":', '"full_scan":')::jsonb
where memory is not null;

update sync_runs set counts = replace(replace(counts::text,
  '"full_readings":', '"full_scans":'),
  '"full_reading_rows":', '"full_scan_rows":')::jsonb
where counts ?| array['full_readings', 'full_reading_rows'];
