import { OutgoingError } from '../clients/outgoing.error.ts'
import type { Ended } from './outgoing-postbacks.due.ts'

/** What came of one request: a status and the wait that it asked for in seconds, or no answer at all. */
export type Came = { answer: number; retryAfter: number | null } | { error: OutgoingError }

const maxAttempts = 10
/** Seconds. */
const firstWait = 30
const longestWait = 3600
/** Seconds that a tracker can ask for at the least and the most. */
const asked = { least: 5, most: 3600 }

/** Seconds before the attempt after so many: 30, doubled each time, an hour at the most. */
const backoff = (attempts: number): number => Math.min(firstWait * 2 ** (attempts - 1), longestWait)

/**
 * How an attempt ended: sent on 2xx; tried again on 5xx, 429, time-outs and lost connections, unless it was the
 * last one; refused on all else. Waiting as long as a 429 asks for is no attempt.
 */
export function verdict(came: Came, before: number): Omit<Ended, 'url'> {
  const attempts = before + 1
  if ('error' in came) {
    const { kind, message } = came.error
    const again = kind === 'timeout' || kind === 'unreachable'
    return { ...ending(again, attempts), answer: null, last_error: message }
  }
  const { answer, retryAfter } = came
  if (answer >= 200 && answer < 300) return { status: 'sent', attempts, answer, last_error: null, wait: 0 }
  if (answer === 429 && retryAfter !== null) {
    const wait = Math.min(Math.max(retryAfter, asked.least), asked.most)
    const last_error = `The tracker answered 429 and asked to wait ${wait} s.`
    return { status: 'queued', attempts: before, answer, last_error, wait }
  }
  const again = answer >= 500 || answer === 429 || answer === 408
  return { ...ending(again, attempts), answer, last_error: `The tracker answered ${answer}.` }
}

const ending = (again: boolean, attempts: number) =>
  again && attempts < maxAttempts
    ? ({ status: 'queued', attempts, wait: backoff(attempts) } as const)
    : ({ status: 'refused', attempts, wait: 0 } as const)

/**
 * Whole seconds of a Retry-After header, which is a number of them or a date (RFC 9110, 10.2.3). A date is one of the
 * tracker's clock, whose present is the Date header of the same answer.
 */
export function retryAfterOf(headers: Record<string, string | string[] | undefined>): number | null {
  const text = String(headers['retry-after'] ?? '').trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  if (Number.isNaN(at)) return null
  const present = Date.parse(String(headers.date ?? ''))
  return Math.max(0, Math.ceil((at - (Number.isNaN(present) ? Date.now() : present)) / 1000))
}
