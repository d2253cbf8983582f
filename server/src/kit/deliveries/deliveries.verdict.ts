import { saidOf, type TelegramTrouble } from '../../clients/telegram.error.ts'

/** How an attempt ended. `wait`: seconds until the next one; `unsure`: it may have arrived all the same. */
export interface Ended {
  status: 'sent' | 'queued' | 'refused'
  attempts: number
  last_error: string | null
  wait: number
  unsure: boolean
}

/** Seconds before the second attempt, doubled for each further one, and the most. */
const firstWait = 15
const longestWait = 1800
/** About two days of longest waits; and fewer where each attempt may leave one more copy in the chat. */
const maxAttempts = 100
const maxUnsure = 12

/**
 * What becomes of a delivery after an attempt; `attempts` counts it already.
 * Waiting as long as a 429 asks for is no attempt; what is refused for good stays so until a person retries it.
 */
export function verdict(trouble: TelegramTrouble | null, attempts: number): Ended {
  const ended = { attempts, wait: 0, unsure: false }
  if (trouble === null) return { ...ended, status: 'sent', last_error: null }
  const last_error = saidOf(trouble)
  switch (trouble.kind) {
    case 'refused':
      return { ...ended, status: 'refused', last_error }
    case 'slow_down':
      return { ...ended, status: 'queued', attempts: attempts - 1, wait: trouble.seconds, last_error }
    case 'moved':
    case 'later': {
      const unsure = trouble.kind === 'later' && trouble.unsure
      if (attempts < (unsure ? maxUnsure : maxAttempts))
        return { ...ended, status: 'queued', wait: backoff(attempts), unsure, last_error }
      return {
        ...ended,
        status: 'refused',
        unsure,
        last_error: `${last_error}; given up after ${attempts} attempts`,
      }
    }
  }
}

const backoff = (attempts: number): number =>
  Math.min(firstWait * 2 ** Math.min(attempts - 1, 20), longestWait)
