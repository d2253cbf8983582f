import type { FastifyBaseLogger } from 'fastify'

/** Milliseconds in which one kind of failure is logged once; the others of its kind are counted. */
const apart = 10_000
/** Kinds that are told apart; beyond them the counts start afresh, so that no flood fills the memory. */
const maxKinds = 200

interface Kind {
  loggedAt: number
  unlogged: number
}

/** Logs the first of many equal failures, and with the next one how many came in between. */
export class LogSampling {
  readonly #kinds = new Map<string, Kind>()

  log(log: FastifyBaseLogger, level: 'warn' | 'error', kind: string, fields: object, message: string): void {
    const now = performance.now()
    const known = this.#kinds.get(kind)
    if (known !== undefined && now - known.loggedAt < apart) {
      known.unlogged += 1
      return
    }
    if (known === undefined && this.#kinds.size >= maxKinds) this.#kinds.clear()
    this.#kinds.set(kind, { loggedAt: now, unlogged: 0 })
    const unlogged = known?.unlogged ?? 0
    log[level]({ ...fields, ...(unlogged > 0 && { unlogged }) }, message)
  }
}
