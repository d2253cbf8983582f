import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import type { Deps } from '../platform/deps.ts'
import type { Job } from '../platform/jobs/jobs.ts'

/** All columns with a due time or the end of a lease, a pause or a block. */
export const dueTimeColumns = {
  uploads: ['next_at', 'leased_until'],
  notices: ['next_at', 'leased_until'],
  reset_mails: ['next_at', 'leased_until'],
  account_mails: ['next_at', 'leased_until'],
  outgoing_postbacks: ['next_at', 'leased_until'],
  sync_states: ['next_run_at', 'leased_until', 'paused_until'],
  courier_turns: ['next_at'],
  telegram_chats: ['rests_until'],
  sign_in_failures: ['blocked_until'],
  idempotency_keys: ['leased_until'],
}

/** Seconds. A smaller step back is ignored: leases and waits only last that much longer. */
const maxUnnoticedSeconds = 60

/**
 * Detects that the clock of the database was set back, as after a start with a wrong time, and moves all due times
 * back by the same amount. Otherwise due work would wait for as long as the clock was ahead.
 */
export const clockSetBackJob = ({ db, log }: Pick<Deps, 'db' | 'log'>): Job => ({
  name: 'clock-set-back',
  interval: 30_000,
  timeout: 60_000,
  isExclusive: true,
  async run() {
    const seconds = await shiftDueTimes(db)
    if (seconds > 0) log.warn({ seconds }, `The database’s clock was set back by ${seconds} s`)
  },
})

/** Moves future due times by the seconds that the clock was set back since the last run, and returns these seconds. */
const shiftDueTimes = (db: Db): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ back: number }>`
      select extract(epoch from seen_at - now())::float8 as back from database_clock for update`.execute(trx)
    await sql`update database_clock set seen_at = now()`.execute(trx)
    const back = Math.round(rows[0]?.back ?? 0)
    if (back <= maxUnnoticedSeconds) return 0
    const shift = sql`make_interval(secs => ${back})`
    for (const [table, columns] of Object.entries(dueTimeColumns)) {
      for (const column of columns.map((name) => sql.ref(name)))
        await sql`update ${sql.table(table)} set ${column} = ${column} - ${shift} where ${column} > now()`.execute(
          trx,
        )
    }
    await sql`update telegram_chats set turns = array(select t - ${shift} from unnest(turns) t)
      where turns[cardinality(turns)] > now()`.execute(trx)
    return back
  })
