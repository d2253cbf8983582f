import type pg from 'pg'

/** Positions in the write-ahead log, in bytes. */
export interface ReadPositions {
  /** The position of the primary now. */
  current: number
  /** The position that a server must have replayed to answer this person. Null: unknown. */
  required: number | null
}

/** The user id of the row for all people. */
const sharedRow = 0

/** `required` is unknown after a crash, and after a restore into another cluster, whose positions are smaller. */
const readSql = `select current, case when rows = 2 and required <= current then required end as required
  from (
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as current,
      (select count(*) from read_positions where user_id in (${sharedRow}, $1))::integer as rows,
      (select pg_wal_lsn_diff(max(position), '0/0')::bigint from read_positions where user_id in (${sharedRow}, $1)) as required
  ) p`

export async function readPositions(primary: pg.Pool, userId: number): Promise<ReadPositions> {
  const { rows } = await primary.query<ReadPositions>(readSql, [userId])
  return rows[0] ?? { current: Number.POSITIVE_INFINITY, required: null }
}

/** The update calls the function after its wait for the row lock, so a later statement stores a later position. */
const upsert = `insert into read_positions (user_id, position) values ($1, pg_current_wal_insert_lsn())
  on conflict (user_id) do update set position = pg_current_wal_insert_lsn()`
const insertMissing = `insert into read_positions (user_id, position) values ($1, pg_current_wal_insert_lsn())
  on conflict (user_id) do nothing`

/** Stores the current position: later reads of a person, or of everybody, see at least what is committed now. */
export async function storePosition(
  primary: pg.Pool,
  userId: number,
  isForEverybody: boolean,
): Promise<void> {
  await primary.query(upsert, [userId])
  await primary.query(isForEverybody ? upsert : insertMissing, [sharedRow])
}

/** The position up to which a standby has replayed, in bytes. Null: the server is no standby. */
export async function readReplayedPosition(replica: pg.Pool): Promise<number | null> {
  const { rows } = await replica.query<{ replayed: number | null }>({
    text: `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as replayed`,
    query_timeout: replicaTimeout,
  } as pg.QueryConfig)
  return rows[0]?.replayed ?? null
}

/** Milliseconds. */
const replicaTimeout = 1000
