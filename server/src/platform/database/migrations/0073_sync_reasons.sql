-- What a run fetches, as the code of a part and a page, and why it failed, as messages with codes. Each person reads both in
-- their language.
alter table sync_runs
  drop column phase,
  add column part text,
  add column page integer,
  add column reasons jsonb not null default '[]';
