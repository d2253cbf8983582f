/** The reason why a message did not reach its receiver. */
export type DeliveryFailure =
  /** The receiver requests a pause of `seconds`. */
  | { kind: 'rate_limited'; seconds: number; reason: string }
  /** A retry cannot succeed until a person changes something. */
  | { kind: 'rejected'; reason: string }
  /** A retry may succeed. `mayHaveArrived`: the answer was lost, so the message may have arrived. */
  | { kind: 'temporary'; reason: string; mayHaveArrived: boolean }

/** The stored outcome of an attempt. `retryIn`: seconds until the next attempt. */
export interface DeliveryOutcome {
  status: 'sent' | 'queued' | 'refused'
  attempts: number
  lastError: string | null
  retryIn: number
  mayHaveArrived: boolean
}

/** Seconds until the second attempt, doubled for each further attempt up to the maximum. */
const firstBackoff = 15
const maxBackoff = 1800
/** About two days with the maximum backoff. Fewer attempts if each of them may deliver another copy. */
const maxAttempts = 100
const maxUncertainAttempts = 12

/** Decides the outcome of an attempt. `attempts` includes it. A rate-limited attempt is not counted. */
export function decideOutcome(failure: DeliveryFailure | null, attempts: number): DeliveryOutcome {
  const outcome = { attempts, retryIn: 0, mayHaveArrived: false }
  if (failure === null) return { ...outcome, status: 'sent', lastError: null }
  const lastError = failure.reason
  switch (failure.kind) {
    case 'rejected':
      return { ...outcome, status: 'refused', lastError }
    case 'rate_limited':
      return { ...outcome, status: 'queued', attempts: attempts - 1, retryIn: failure.seconds, lastError }
    case 'temporary': {
      const { mayHaveArrived } = failure
      if (attempts < (mayHaveArrived ? maxUncertainAttempts : maxAttempts))
        return { ...outcome, status: 'queued', retryIn: computeBackoff(attempts), mayHaveArrived, lastError }
      return {
        ...outcome,
        status: 'refused',
        mayHaveArrived,
        lastError: `${lastError}; given up after ${attempts} attempts`,
      }
    }
  }
}

const computeBackoff = (attempts: number): number =>
  Math.min(firstBackoff * 2 ** Math.min(attempts - 1, 20), maxBackoff)
