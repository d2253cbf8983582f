import type pg from 'pg'

/** Lets a status that gets another type move so few leads in one batch, so that few leads need several batches. */
export async function setRecountBatch(pool: Pick<pg.Pool, 'query'>, leads: number): Promise<void> {
  await pool.query(`create or replace function recount_batch_size() returns integer language sql immutable
    as 'select ${leads}'`)
}
