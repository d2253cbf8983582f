-- The leads of longer spans of days as groups by source, offer, stream and status, for questions of Explore that need nothing
-- else. See docs/decisions/0035-lead-spans.md.

-- A segment that is built again has a larger build, so the builds of some days tell whether any of them was built again.
alter table lead_segments
  add column build bigint not null generated always as identity,
  add column built_at timestamptz not null default now();

-- Groups of the leads of `days` days from `day`. Each column has one number for each group, in the same order of groups, with the
-- highest byte first: ids (0: none) and the number of leads of 1, 2 or 4 bytes, and the payouts in hundredths as doubles.
create table lead_spans (
  day date not null,
  days integer not null,
  part integer not null,
  groups integer not null,
  -- The number and the sum of builds of the segments that the span was built from. With others it is out of date.
  segments integer not null,
  builds bigint not null,
  source bytea not null,
  offer bytea not null,
  stream bytea not null,
  status bytea not null,
  leads bytea not null,
  payout bytea not null,
  -- In hundredths. A bound for the sum of all payouts without their signs.
  largest_sum bigint not null,
  primary key (day, days, part)
);
alter table lead_spans
  alter source set storage external, alter offer set storage external, alter stream set storage external,
  alter status set storage external, alter leads set storage external, alter payout set storage external;
