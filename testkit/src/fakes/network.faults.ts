/** How likely each bad thing is at a request, from 0 to 1; what is not named does not happen. */
export interface NetworkFaults {
  /** Milliseconds, up to which an answer is late. */
  slow?: number
  asked_to_wait?: number
  /** Seconds that 429 asks for; without it the header is left out. */
  retryAfter?: number
  broken?: number
  garbage?: number
  /** The answer ends in the middle. */
  half?: number
  /** The connection is reset before any answer. */
  drop?: number
  /** Rows of a page stand in it twice. */
  repeat?: number
  /** The token is forgotten: 401 until the next sign-in. */
  forget?: number
  /** From 0 to 1, each call another one; Math.random where it is not given. */
  chance?: () => number
}

export type Trouble = 'none' | 'asked_to_wait' | 'broken' | 'garbage' | 'half' | 'drop' | 'repeat' | 'forget'

/** Which of them happens to one request: one at the most. */
export function troubleOf(
  faults: NetworkFaults,
  signingIn: boolean,
): { kind: Trouble; wait: number; headers: Record<string, string> } {
  const chance = faults.chance ?? Math.random
  const wait = faults.slow === undefined ? 0 : Math.floor(chance() * faults.slow)
  const headers: Record<string, string> =
    faults.retryAfter === undefined ? {} : { 'retry-after': String(faults.retryAfter) }
  const likely: [Trouble, number | undefined][] = [
    ['asked_to_wait', faults.asked_to_wait],
    ['broken', faults.broken],
    ['garbage', faults.garbage],
    ['drop', faults.drop],
    ['half', signingIn ? 0 : faults.half],
    ['repeat', signingIn ? 0 : faults.repeat],
    ['forget', signingIn ? 0 : faults.forget],
  ]
  let rest = chance()
  for (const [kind, share = 0] of likely) {
    if (rest < share) return { kind, wait, headers }
    rest -= share
  }
  return { kind: 'none', wait, headers }
}
