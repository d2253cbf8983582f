-- The moments between which the entries of a statement were posted, the second excluded. They stay when the installation
-- gets another time zone. A statement begins where the one before it ends.
-- Fees that the collected money of a parcel does not cover were part of `reversed` until now. Closed statements stay so.
alter table statements add column starts_at timestamptz, add column ends_at timestamptz,
  add column fees numeric(18, 2) not null default 0;
update statements set starts_at = start_date, ends_at = end_date + 1;
alter table statements alter column starts_at set not null, alter column ends_at set not null,
  alter column fees drop default,
  add constraint statements_ends_at_check check (ends_at >= starts_at),
  drop constraint statements_closing_check,
  add constraint statements_closing_check check (closing = opening + earned + reversed + fees + adjusted + paid);
