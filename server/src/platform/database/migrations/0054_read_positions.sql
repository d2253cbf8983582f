-- How far a standby must have replayed before a person reads there, as a position of the write-ahead log. Person 0: everybody.
-- Unlogged: a row costs no write to the disk. After a crash the table is empty, and a missing row means the present position.
-- See docs/decisions/0037-read-replica.md.
create unlogged table read_positions (
  user_id bigint primary key,
  position pg_lsn not null
) with (fillfactor = 50);
