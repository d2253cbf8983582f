import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from './pg-errors.ts'

/** Seconds for which a database that is away is waited for; a lease is longer. */
const patience = 40

/**
 * Does what must be noted: while the database is away, again each second until most of a lease is over. Throws what
 * `work` throws otherwise.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) || tries === patience) throw error
      await sleep(1000)
    }
  }
}
