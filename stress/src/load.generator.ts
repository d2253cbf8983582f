import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'
import { pickRequest } from './load.requests.ts'
import type { WriterSetup } from './writers.requests.ts'

/** A finished request. Times are of performance.now. Status 0: no answer. */
export interface SentRequest {
  from: number
  to: number
  status: number
  description: string
}

/** 429 is no failure: one person sends all requests and reaches the limit of a person. */
export const isFailure = ({ status }: SentRequest): boolean =>
  (status < 200 || status > 299) && status !== 429

/** Above this number of requests in flight, no more are sent. */
const maxInFlight = 200

/** Sends a mix of requests to several addresses and records each. */
export class LoadGenerator {
  readonly sent: SentRequest[] = []
  readonly #addresses: () => readonly string[]
  readonly #setup: WriterSetup
  #inFlight = 0

  constructor(addresses: () => readonly string[], setup: WriterSetup) {
    this.#addresses = addresses
    this.#setup = setup
  }

  /** Requests per second of `people` clients that each wait for their answer. */
  async measureCapacity(people: number, seconds: number): Promise<number> {
    const until = performance.now() + seconds * 1000
    let answeredCount = 0
    const person = async () => {
      while (performance.now() < until) {
        await this.sendOne()
        answeredCount += 1
      }
    }
    await Promise.all(Array.from({ length: people }, person))
    return answeredCount / seconds
  }

  /** Sends requests at a constant rate, without waiting for answers, until `signal` aborts. */
  async sendAtRate(perSecond: number, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now()
    for (let index = 0; !signal.aborted; index += 1) {
      const wait = startedAt + (index * 1000) / perSecond - performance.now()
      if (wait > 1) await sleep(wait)
      // After a fault, skip the missed requests instead of sending them at once.
      if (wait < -1000) index = Math.floor(((performance.now() - startedAt) * perSecond) / 1000)
      if (this.#inFlight < maxInFlight) void this.sendOne()
    }
    while (this.#inFlight > 0) await sleep(10)
  }

  /** Sends one random request. */
  async sendOne(): Promise<void> {
    const addresses = this.#addresses()
    const url = addresses[Math.floor(Math.random() * addresses.length)] ?? ''
    const request = pickRequest(this.#setup)
    const from = performance.now()
    this.#inFlight += 1
    const { status, text } = await send(url, this.#setup.token, request)
    this.#inFlight -= 1
    const detail = status >= 200 && status <= 299 ? '' : ` ${text.slice(0, 200)}`
    this.sent.push({
      from,
      to: performance.now(),
      status,
      description: `${request.method} ${request.path}${detail}`,
    })
  }
}
