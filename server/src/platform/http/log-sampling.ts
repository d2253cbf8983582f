import type { FastifyBaseLogger } from 'fastify'

/** Milliseconds. Of equal failures within this time one is logged, the others are counted. */
const interval = 10_000
/** The maximum number of kinds. At this number all counts start again, so that a flood does not fill the memory. */
const maxKinds = 200

interface Kind {
  loggedAt: number
  unlogged: number
}

/** Failures of one kind are equal. */
interface Failure {
  level: 'warn' | 'error'
  kind: string
  fields: object
  message: string
}

/** Logs one of many equal failures in each interval, with the number of those before it that were not logged. */
export class LogSampling {
  readonly #kinds = new Map<string, Kind>()

  log(logger: FastifyBaseLogger, { level, kind, fields, message }: Failure): void {
    const now = performance.now()
    const previous = this.#kinds.get(kind)
    if (previous !== undefined && now - previous.loggedAt < interval) {
      previous.unlogged += 1
      return
    }
    if (previous === undefined && this.#kinds.size >= maxKinds) this.#kinds.clear()
    this.#kinds.set(kind, { loggedAt: now, unlogged: 0 })
    const unlogged = previous?.unlogged ?? 0
    logger[level]({ ...fields, ...(unlogged > 0 && { unlogged }) }, message)
  }
}
