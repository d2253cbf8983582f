-- When an admin voided a settlement act that a file gave by mistake. It has no lines and no sums then.
alter table settlement_acts add column voided_at timestamptz;
