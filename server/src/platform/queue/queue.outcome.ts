/** Why a message did not reach its receiver. */
export type DeliveryFailure =
  /** The receiver asks to wait so many seconds. */
  | { kind: 'rate_limited'; seconds: number; reason: string }
  /** Another attempt cannot help until a person changes something. */
  | { kind: 'rejected'; reason: string }
  /** Try again later. `mayHaveArrived`: the answer was lost, so the message may be there already. */
  | { kind: 'temporary'; reason: string; mayHaveArrived: boolean }

/** What is stored of an attempt. `retryIn`: seconds until the next one. */
export interface DeliveryOutcome {
  status: 'sent' | 'queued' | 'refused'
  attempts: number
  lastError: string | null
  retryIn: number
  mayHaveArrived: boolean
}

/** Seconds before the second attempt, doubled for each further one up to the longest. */
const firstBackoff = 15
const longestBackoff = 1800
/** About two days of the longest backoff. Fewer where each attempt may deliver one more copy. */
const maxAttempts = 100
const maxUncertainAttempts = 12

/** What follows from an attempt; `attempts` counts it already. A wait that the receiver asks for is no attempt. */
export function outcomeOf(failure: DeliveryFailure | null, attempts: number): DeliveryOutcome {
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
        return { ...outcome, status: 'queued', retryIn: backoff(attempts), mayHaveArrived, lastError }
      return {
        ...outcome,
        status: 'refused',
        mayHaveArrived,
        lastError: `${lastError}; given up after ${attempts} attempts`,
      }
    }
  }
}

const backoff = (attempts: number): number =>
  Math.min(firstBackoff * 2 ** Math.min(attempts - 1, 20), longestBackoff)
