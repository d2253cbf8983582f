/** The probability of each fault per request, from 0 to 1. A missing fault never happens. */
export interface NetworkFaults {
  /** Maximum delay of an answer, in milliseconds. */
  slow?: number
  rate_limited?: number
  /** Seconds in the Retry-After header of a 429. Without a value there is no header. */
  retryAfter?: number
  broken?: number
  garbage?: number
  /** The answer ends in the middle. */
  truncated?: number
  /** The connection is reset before any answer. */
  drop?: number
  /** A page contains some rows twice. */
  repeat_rows?: number
  /** The token becomes invalid: 401 until the next sign-in. */
  forget_token?: number
  /** Replaces Math.random. */
  chance?: () => number
}

export type FaultKind =
  | 'none'
  | 'rate_limited'
  | 'broken'
  | 'garbage'
  | 'truncated'
  | 'drop'
  | 'repeat_rows'
  | 'forget_token'

/** Picks the fault of one request, at most one. `wait` is the delay in milliseconds. */
export function pickNetworkFault(
  faults: NetworkFaults,
  isSignIn: boolean,
): { kind: FaultKind; wait: number; headers: Record<string, string> } {
  const chance = faults.chance ?? Math.random
  const wait = faults.slow === undefined ? 0 : Math.floor(chance() * faults.slow)
  const headers: Record<string, string> =
    faults.retryAfter === undefined ? {} : { 'retry-after': String(faults.retryAfter) }
  const likely: [FaultKind, number | undefined][] = [
    ['rate_limited', faults.rate_limited],
    ['broken', faults.broken],
    ['garbage', faults.garbage],
    ['drop', faults.drop],
    ['truncated', isSignIn ? 0 : faults.truncated],
    ['repeat_rows', isSignIn ? 0 : faults.repeat_rows],
    ['forget_token', isSignIn ? 0 : faults.forget_token],
  ]
  let remainder = chance()
  for (const [kind, share = 0] of likely) {
    if (remainder < share) return { kind, wait, headers }
    remainder -= share
  }
  return { kind: 'none', wait, headers }
}
