import { countRefusal, type RefusalReason } from '../http/refusals.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { heavyTaskTimeout } from './limits.ts'

const allLimits: HeavyTaskLimit[] = []

/** How many tasks of each kind run in this process. */
export const countHeavyTasks = (): ReadonlyMap<RefusalReason, number> => {
  const counts = new Map<RefusalReason, number>()
  for (const limit of allLimits) counts.set(limit.kind, (counts.get(limit.kind) ?? 0) + limit.inUse)
  return counts
}

/**
 * A concurrency limit for heavy tasks (uploads, imports, exports): so many in this process, and so many of one person.
 * In addition to {@link ConcurrencyLimit} it appears on /metrics, and it frees a slot that a task holds too long.
 */
export class HeavyTaskLimit {
  readonly kind: RefusalReason
  readonly #limit: ConcurrencyLimit<number>

  /** `noun` names the tasks in the answer: "downloads". */
  constructor(kind: RefusalReason, noun: string, max: number, maxPerPerson: number) {
    this.kind = kind
    allLimits.push(this)
    const perPersonText = `${maxPerPerson} of your ${noun} are under way. Wait for one of them.`
    this.#limit = new ConcurrencyLimit<number>({
      max,
      maxPerKey: maxPerPerson,
      perKeyRefusal: { reason: kind, text: perPersonText },
      totalRefusal: { reason: kind, text: `Several ${noun} are under way. Try again shortly.` },
      retryAfter: 10,
    })
  }

  get inUse(): number {
    return this.#limit.inUse
  }

  /** Runs `task` in a slot; see {@link acquire}. */
  async run<T>(userId: number, task: () => Promise<T>): Promise<T> {
    const release = this.acquire(userId)
    try {
      return await task()
    } finally {
      release()
    }
  }

  /**
   * Takes a slot and returns the function that frees it. Errors: 429 at the limit of this person, 503 at the total
   * limit.
   */
  acquire(userId: number): () => void {
    this.#limit.acquire(userId)
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      clearTimeout(deadline)
      this.#limit.release(userId)
    }
    // Every task ends long before. A defect must not take the slot forever.
    const deadline = setTimeout(() => {
      countRefusal('slot_overdue')
      release()
    }, heavyTaskTimeout).unref()
    return release
  }
}
