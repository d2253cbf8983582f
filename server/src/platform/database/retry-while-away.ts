import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from './pg-errors.ts'

/** Seconds for which a database that is away is waited for; a lease is longer. */
const maxSeconds = 40

/** Runs `work`, again each second while the database is away. Throws what `work` throws otherwise, or after the limit. */
export async function retryWhileAway<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) || attempt === maxSeconds) throw error
      await sleep(1000)
    }
  }
}
