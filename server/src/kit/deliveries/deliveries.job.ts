import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import type { Job } from '../jobs.ts'
import { patiently } from '../patient.ts'
import { isDatabaseAway } from '../pg-errors.ts'
import { deliver, type Letter } from './deliveries.attempt.ts'
import { claim, note, type Claimed, type Queue } from './deliveries.queue.ts'
import { verdict, type Ended } from './deliveries.verdict.ts'

/** Milliseconds that what is under way gets when the process is told to stop: cut off, it might be sent twice. */
const grace = 6000

/** Milliseconds. `pause`: between two sends. `patience`: for Telegram's answer, the travelling of a file aside. */
export interface Manners {
  pause: number
  patience: number
}

/** Telegram takes about one message a second to a chat. */
const usual: Manners = { pause: 1000, patience: 15_000 }
/** Milliseconds that an attempt may take at the most; less than a lease. */
const longest = 150_000

/** The job that sends what is due in a queue, one at a time; `letterOf` makes what is sent of a row. */
export function deliveriesJob(
  deps: Pick<Deps, 'pool' | 'log'>,
  queue: Queue,
  letterOf: (id: number) => Promise<Letter>,
  { pause, patience }: Manners = usual,
): Job {
  return {
    name: queue,
    every: 5000,
    timeout: 600_000,
    alone: false,
    async run(signal) {
      while (!signal.aborted) {
        const claimed = await claim(deps.pool, queue)
        if (claimed === null) return
        const ended = await send(deps, letterOf, claimed, { patience, stopping: signal })
        await patiently(() => note(deps.pool, queue, claimed, ended))
        if (ended.attempts < claimed.attempts) return
        await sleep(pause, undefined, { signal }).catch(() => {})
      }
    },
  }
}

async function send(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  letterOf: (id: number) => Promise<Letter>,
  claimed: Claimed,
  { patience, stopping }: { patience: number; stopping: AbortSignal },
): Promise<Ended> {
  const late = new AbortController()
  const hurry = () => setTimeout(() => late.abort(), grace).unref()
  stopping.addEventListener('abort', hurry, { once: true })
  let timer: NodeJS.Timeout | undefined
  try {
    const letter = await letterOf(claimed.id)
    timer = setTimeout(() => late.abort(), Math.min(patience + (letter.travels ?? 0), longest))
    return verdict(await deliver(pool, letter, late.signal), claimed.attempts)
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    // One row that cannot be sent must not keep the others waiting.
    log.error({ err: error, id: claimed.id }, 'A delivery failed in a way that nobody foresaw')
    const reason = 'It failed in an unforeseen way; the log tells more'
    return verdict({ kind: 'later', reason, unsure: true }, claimed.attempts)
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', hurry)
  }
}
