-- What a run fetches, as the code of a part and a page, and why it failed, as messages with codes. Each person reads both in
-- their language. Processes of the previous version write the column `phase` during an upgrade.
alter table sync_runs
  add column part text,
  add column page integer,
  add column reasons jsonb not null default '[]';
