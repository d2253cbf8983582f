import type { AppError } from '../http/errors.ts'
import { countRefusal, type RefusalReason } from '../http/refusals.ts'

/** `reason`: the label on /metrics. `createError` gets the seconds of Retry-After, and the slots that the key holds. */
interface Bound {
  max: number
  reason: RefusalReason
  createError: (retryAfter: number, slotCount: number) => AppError
}

/** `getMax` returns a smaller bound for the moment, from the number of free slots. */
interface KeyBound extends Bound {
  getMax?: (free: number) => number
}

/** A third of the free slots, so that a few keys cannot take all. */
export const getThird = (free: number): number => Math.max(1, Math.ceil(free / 3))

interface ConcurrencyOptions {
  /** Slots of one key. At this bound the answer is 429. */
  perKey?: KeyBound
  /** Slots of all keys together. At this bound the answer is 503. */
  total?: Bound
  /** Seconds in Retry-After; by default 1. */
  retryAfter?: number
  /** How many callers of one key may wait for a slot; by default 0. */
  maxQueuedPerKey?: number
  /** Milliseconds after which a slot is freed, so that a defect does not hold it for ever. */
  holdTimeout?: number
  /** The label of the limit on /metrics. Limits of one kind are added up. */
  kind?: RefusalReason
}

interface WaitOptions {
  /** Milliseconds. */
  timeout?: number
  /** Creates the error after `timeout`, in place of the refusal. */
  createTimeoutError?: () => Error
  /** Ends the wait with its reason. */
  signal?: AbortSignal
}

interface Waiter<Key> {
  key: Key
  start: (release: Release) => void
}

/** Frees a slot. Further calls change nothing. */
export type Release = () => void

const limitsByKind: { kind: RefusalReason; limit: { readonly inUse: number } }[] = []

/** How many slots of each kind are held in this process. */
export function countSlotsByKind(): ReadonlyMap<RefusalReason, number> {
  const counts = new Map<RefusalReason, number>()
  for (const { kind, limit } of limitsByKind) counts.set(kind, (counts.get(kind) ?? 0) + limit.inUse)
  return counts
}

/**
 * Concurrency limit in the memory of this process: a number of slots for each key (an address, a person), and one for
 * all keys. Without a free slot `acquire` refuses at once, and `wait` and `run` queue in the order of arrival, up to
 * `maxQueuedPerKey`. Errors: 429 at the limit of a key, 503 at the limit of all keys.
 */
export class ConcurrencyLimit<Key> {
  readonly #options: ConcurrencyOptions
  readonly #heldByKey = new Map<Key, number>()
  readonly #waiters = new Set<Waiter<Key>>()
  readonly #queuedByKey = new Map<Key, number>()
  #held = 0

  constructor(options: ConcurrencyOptions) {
    this.#options = options
    if (options.kind !== undefined) limitsByKind.push({ kind: options.kind, limit: this })
  }

  get inUse(): number {
    return this.#held
  }

  acquire(key: Key, slots = 1): Release {
    const bound = this.#findFullBound(key, slots)
    if (bound !== null) throw this.#createRefusal(bound, key)
    return this.#take(key, slots)
  }

  /** Takes a slot, or queues for it. */
  async wait(key: Key, options: WaitOptions = {}): Promise<Release> {
    this.#startWaiters()
    const bound = this.#findFullBound(key, 1)
    return bound === null ? this.#take(key, 1) : this.#queue(key, bound, options)
  }

  async #queue(
    key: Key,
    bound: Bound,
    { timeout, createTimeoutError, signal }: WaitOptions,
  ): Promise<Release> {
    signal?.throwIfAborted()
    const queuedCount = this.#queuedByKey.get(key) ?? 0
    if (queuedCount >= (this.#options.maxQueuedPerKey ?? 0)) throw this.#createRefusal(bound, key)
    const slot = Promise.withResolvers<Release>()
    const waiter = { key, start: slot.resolve }
    this.#waiters.add(waiter)
    this.#queuedByKey.set(key, queuedCount + 1)
    const endWait = (createError: () => unknown) => {
      if (this.#leaveQueue(waiter)) slot.reject(createError())
    }
    const onTimeout = () =>
      endWait(() => {
        const refusal = this.#createRefusal(bound, key)
        return createTimeoutError?.() ?? refusal
      })
    const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout)
    const onAbort = () => endWait(() => signal?.reason)
    signal?.addEventListener('abort', onAbort)
    try {
      return await slot.promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Runs `work` in a slot; see {@link wait}. */
  async run<T>(key: Key, work: () => Promise<T>, options?: WaitOptions): Promise<T> {
    this.#startWaiters()
    const bound = this.#findFullBound(key, 1)
    const release = bound === null ? this.#take(key, 1) : await this.#queue(key, bound, options ?? {})
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** False when the waiter has left already. */
  #leaveQueue(waiter: Waiter<Key>): boolean {
    if (!this.#waiters.delete(waiter)) return false
    const queuedCount = (this.#queuedByKey.get(waiter.key) ?? 0) - 1
    if (queuedCount > 0) this.#queuedByKey.set(waiter.key, queuedCount)
    else this.#queuedByKey.delete(waiter.key)
    return true
  }

  #findFullBound(key: Key, slots: number): Bound | null {
    const { perKey, total } = this.#options
    if (perKey !== undefined) {
      const maxNow = perKey.getMax?.((total?.max ?? Infinity) - this.#held) ?? Infinity
      if ((this.#heldByKey.get(key) ?? 0) + slots > Math.min(perKey.max, maxNow)) return perKey
    }
    return total !== undefined && this.#held + slots > total.max ? total : null
  }

  #createRefusal({ reason, createError }: Bound, key: Key): AppError {
    const slotCount = this.#heldByKey.get(key) ?? 0
    return recordRefusal(reason, createError(this.#options.retryAfter ?? 1, slotCount))
  }

  #take(key: Key, slots: number): Release {
    const { holdTimeout } = this.#options
    this.#held += slots
    this.#heldByKey.set(key, (this.#heldByKey.get(key) ?? 0) + slots)
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      clearTimeout(timer)
      this.#free(key, slots)
    }
    const onOverdue = () => {
      countRefusal('slot_overdue')
      release()
    }
    const timer = holdTimeout === undefined ? undefined : setTimeout(onOverdue, holdTimeout).unref()
    return release
  }

  #free(key: Key, slots: number): void {
    this.#held -= slots
    const heldSlots = (this.#heldByKey.get(key) ?? 0) - slots
    if (heldSlots > 0) this.#heldByKey.set(key, heldSlots)
    else this.#heldByKey.delete(key)
    this.#startWaiters()
  }

  /**
   * Starts all waiters that may run now, in their order. Each takes one slot. `getMax` may have grown since a slot was freed, so a
   * new caller starts them first, and overtakes none.
   */
  #startWaiters(): void {
    for (const waiter of this.#waiters) {
      if (this.#findFullBound(waiter.key, 1) !== null) continue
      this.#leaveQueue(waiter)
      waiter.start(this.#take(waiter.key, 1))
    }
  }
}

/** Counts a refusal and returns its error. */
export function recordRefusal(reason: RefusalReason, error: AppError): AppError {
  countRefusal(reason)
  return error
}
