import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from './pg-errors.ts'

/** Seconds. Shorter than a lease. */
const maxSeconds = 40

/**
 * Runs `work` again each second while the database is unavailable. Throws other errors at once, and the last one
 * after the limit.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempt === maxSeconds) throw error
      await sleep(1000)
    }
  }
}
