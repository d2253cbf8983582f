import { sql } from 'kysely'
import { dataLocks, lockGroups } from '../../platform/database/lock-keys.ts'
import type { Db } from '../../platform/database/pool.ts'

/** Finds the transactions that hold `lead_states_read()`, by its key in pg_locks; `objsubid` 2 means that the lock has two keys. */
export async function findWriters(db: Db): Promise<string[]> {
  const { rows } = await sql<{ transaction: string }>`
    select virtualtransaction as transaction from pg_locks
    where locktype = 'advisory' and classid = ${lockGroups.data} and objid = ${dataLocks.leadStates} and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ transaction }) => transaction)
}
