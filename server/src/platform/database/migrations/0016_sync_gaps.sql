-- full_asked_at: when a person last asked for a reading of everything. gap_from, gap_to: orders that were made between
-- may be missing, since the network's list no longer reached back to what was known; null once a person has looked.
alter table sync_states
  add column full_asked_at timestamptz,
  add column gap_from timestamptz,
  add column gap_to timestamptz;
