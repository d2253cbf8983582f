import { OutgoingError } from '../../platform/outgoing-http/outgoing.error.ts'
import type { PostbackOutcome } from './outgoing-postbacks.lease.queries.ts'

/** The answer to one request: its status and the seconds that it asks to wait, or the error instead of an answer. */
export type TrackerAnswer = { answer: number; retryAfter: number | null } | { error: OutgoingError }

const maxAttempts = 10
/** Seconds. */
const firstBackoff = 30
const longestBackoff = 3600
/** Seconds that a tracker can ask to wait, at the least and the most. */
const shortestWait = 5
const longestWait = 3600

/** Seconds before the attempt after so many: 30, doubled each time, an hour at the most. */
const backoff = (attempts: number): number => Math.min(firstBackoff * 2 ** (attempts - 1), longestBackoff)

/**
 * Sent on 2xx; tried again on 5xx, 429, time-outs and lost connections, unless it was the last attempt; refused on all
 * else. A wait that a 429 asks for is no attempt.
 */
export function outcomeOf(result: TrackerAnswer, attemptsBefore: number): Omit<PostbackOutcome, 'url'> {
  const attempts = attemptsBefore + 1
  if ('error' in result) {
    const { kind, message } = result.error
    const again = kind === 'timeout' || kind === 'unreachable'
    return { ...retryOrRefuse(again, attempts), answer: null, lastError: message }
  }
  const { answer, retryAfter } = result
  if (answer >= 200 && answer < 300) return { status: 'sent', attempts, answer, lastError: null, retryIn: 0 }
  if (answer === 429 && retryAfter !== null) {
    const retryIn = Math.min(Math.max(retryAfter, shortestWait), longestWait)
    const lastError = `The tracker answered 429 and asked to wait ${retryIn} s.`
    return { status: 'queued', attempts: attemptsBefore, answer, lastError, retryIn }
  }
  const again = answer >= 500 || answer === 429 || answer === 408
  return { ...retryOrRefuse(again, attempts), answer, lastError: `The tracker answered ${answer}.` }
}

const retryOrRefuse = (again: boolean, attempts: number) =>
  again && attempts < maxAttempts
    ? ({ status: 'queued', attempts, retryIn: backoff(attempts) } as const)
    : ({ status: 'refused', attempts, retryIn: 0 } as const)

/**
 * Whole seconds of a Retry-After header, which is a number of seconds or a date (RFC 9110, 10.2.3). A date is compared
 * with the Date header of the same answer, which has the tracker's clock.
 */
export function retryAfterOf(headers: Record<string, string | string[] | undefined>): number | null {
  const text = String(headers['retry-after'] ?? '').trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  if (Number.isNaN(at)) return null
  const present = Date.parse(String(headers.date ?? ''))
  return Math.max(0, Math.ceil((at - (Number.isNaN(present) ? Date.now() : present)) / 1000))
}
