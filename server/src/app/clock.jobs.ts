import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import type { Deps } from '../platform/deps.ts'
import type { Job } from '../platform/jobs/jobs.ts'

/** Every column that says from when on something may be done: a due time, the end of a lease, a rest or a block. */
export const dueTimes = {
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

/** Seconds by which a clock is set back without a word: leases and waits last that much longer, no more. */
const tolerance = 60

/**
 * Notices when the database's clock was set back, as after a start with a wrong time. What was to be done in a minute
 * by the clock before would wait for a minute and as long as the clock was ahead: every due time moves by so much.
 */
export const clockSetBackJob = ({ db, log }: Pick<Deps, 'db' | 'log'>): Job => ({
  name: 'clock-set-back',
  every: 30_000,
  timeout: 60_000,
  alone: true,
  async run() {
    const seconds = await followClock(db)
    if (seconds > 0) log.warn({ seconds }, `The database’s clock was set back by ${seconds} s`)
  },
})

/** Moves what is due later by as much as the clock was set back since the last look; answers those seconds. */
const followClock = (db: Db): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ back: number }>`
      select extract(epoch from seen_at - now())::float8 as back from database_clock for update`.execute(trx)
    await sql`update database_clock set seen_at = now()`.execute(trx)
    const back = Math.round(rows[0]?.back ?? 0)
    if (back <= tolerance) return 0
    const shift = sql`make_interval(secs => ${back})`
    for (const [table, columns] of Object.entries(dueTimes)) {
      for (const column of columns.map((name) => sql.ref(name)))
        await sql`update ${sql.table(table)} set ${column} = ${column} - ${shift} where ${column} > now()`.execute(
          trx,
        )
    }
    await sql`update telegram_chats set turns = array(select t - ${shift} from unnest(turns) t)
      where turns[cardinality(turns)] > now()`.execute(trx)
    return back
  })
