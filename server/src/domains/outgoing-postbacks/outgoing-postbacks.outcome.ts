import { OutgoingError } from '../../platform/outgoing-http/outgoing.error.ts'
import type { AttemptResult } from './outgoing-postbacks.lease.queries.ts'

/** The response of a tracker: the HTTP status and the seconds of Retry-After, or the error of the request. */
export type TrackerResponse = { answer: number; retryAfter: number | null } | { error: OutgoingError }

/** The reason of postbacks that no tracker refused: their template was switched off before they were sent. */
export const switchedOffReason = 'The template was switched off.'

const maxAttempts = 10
/** Seconds. */
const firstBackoff = 30
const maxBackoff = 3600
/** Limits of the wait that a tracker asks for, in seconds. */
const minRetryAfter = 5
const maxRetryAfter = 3600

/** Seconds before the next attempt: 30, doubled after each attempt, at most one hour. */
const computeBackoff = (attempts: number): number => Math.min(firstBackoff * 2 ** (attempts - 1), maxBackoff)

/**
 * 2xx is sent. 5xx, 408, 429, a timeout and a lost connection are retried until the last attempt. Everything else is
 * refused. A 429 with Retry-After does not count as an attempt.
 */
export function decideAttemptResult(
  result: TrackerResponse,
  attemptsBefore: number,
): Omit<AttemptResult, 'url'> {
  const attempts = attemptsBefore + 1
  if ('error' in result) {
    const { kind, message } = result.error
    const canRetry = kind === 'timeout' || kind === 'unreachable'
    return { ...retryOrRefuse(canRetry, attempts), answer: null, lastError: message }
  }
  const { answer, retryAfter } = result
  if (answer >= 200 && answer < 300) return { status: 'sent', attempts, answer, lastError: null, retryIn: 0 }
  if (answer === 429 && retryAfter !== null) {
    const retryIn = Math.min(Math.max(retryAfter, minRetryAfter), maxRetryAfter)
    const lastError = `The tracker answered 429 and asked to wait ${retryIn} s.`
    return { status: 'queued', attempts: attemptsBefore, answer, lastError, retryIn }
  }
  const canRetry = answer >= 500 || answer === 429 || answer === 408
  return { ...retryOrRefuse(canRetry, attempts), answer, lastError: `The tracker answered ${answer}.` }
}

const retryOrRefuse = (canRetry: boolean, attempts: number) =>
  canRetry && attempts < maxAttempts
    ? ({ status: 'queued', attempts, retryIn: computeBackoff(attempts) } as const)
    : ({ status: 'refused', attempts, retryIn: 0 } as const)
