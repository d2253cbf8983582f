-- A closed statement of a person's account. Its figures are those of the entries that were posted in its days, which no
-- later entry can join: a period is closed after its last day.
create table statements (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint statements_user_id_fkey references users,
  currency text not null,
  start_date date not null,
  end_date date not null constraint statements_end_date_check check (end_date >= start_date),
  opening numeric(18, 2) not null,
  earned numeric(18, 2) not null,
  reversed numeric(18, 2) not null,
  adjusted numeric(18, 2) not null,
  paid numeric(18, 2) not null,
  closing numeric(18, 2) not null,
  entries bigint not null,
  closed_by bigint not null constraint statements_closed_by_fkey references users,
  closed_at timestamptz not null default now(),
  constraint statements_closing_check check (closing = opening + earned + reversed + adjusted + paid)
);
create index statements_user_id on statements (user_id, currency, start_date);
create index statements_start_date on statements (start_date, id);
create index statements_closed_at on statements (closed_at, id);
create index statements_closed_by on statements (closed_by);
create trigger count_inserted after insert on statements referencing new table as added
  for each statement execute function count_inserted();
create trigger count_deleted after delete on statements referencing old table as removed
  for each statement execute function count_deleted();
