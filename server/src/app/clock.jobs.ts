import type { Db } from '../platform/database/pool.ts'
import type { Deps } from '../platform/deps.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import { moveDueTimesBack, readClockStep, saveClock, saveUnlessSetBack } from './clock.queries.ts'

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
  // Its statements lock the stored clock.
  isExclusive: false,
  async run() {
    if (await saveUnlessSetBack(db, maxUnnoticedSeconds)) return
    const seconds = await shiftDueTimes(db)
    if (seconds > 0) log.warn({ seconds }, `The database’s clock was set back by ${seconds} s`)
  },
})

/** Moves future due times by the seconds that the clock was set back since the last run, and returns these seconds. */
const shiftDueTimes = (db: Db): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const stepSeconds = Math.round(await readClockStep(trx))
    await saveClock(trx)
    if (stepSeconds <= maxUnnoticedSeconds) return 0
    await moveDueTimesBack(trx, stepSeconds)
    return stepSeconds
  })
