import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendOrThrow, send, type ClientAnswer, type ClientRequest } from './client.ts'
import { requestBuilders, kinds, buildOffer, type WriterSetup, type Kind } from './writers.requests.ts'

/** Milliseconds after the stop in which a pending request is still repeated. */
const maxWait = 60_000

/** An offer whose price one writer increments. */
export interface Counter {
  id: number
  acknowledged: number
  attempted: number
}

/**
 * Clients that write over HTTP. They repeat a request with the same Idempotency-Key until it is acknowledged, and record
 * what was acknowledged.
 */
export class Writers {
  readonly acknowledged: Record<Kind, Set<string>>
  readonly attempted: Record<Kind, Set<string>>
  readonly counters: Counter[] = []
  /** Answers other than success, 429, 503 and 409 for a request in progress. */
  readonly unexpectedAnswers: string[] = []
  repeats = 0
  acknowledgedCount = 0
  readonly #addresses: () => readonly string[]
  readonly #setup: WriterSetup
  readonly #pause: number
  readonly #onAnswer: (answer: ClientAnswer) => void
  #stoppedAt: number | undefined
  #loops: Promise<void>[] = []

  /** `addresses`: the product's present addresses; each request uses one. `pause`: milliseconds between requests. */
  constructor(
    addresses: () => readonly string[],
    setup: WriterSetup,
    pause = 0,
    onAnswer: (answer: ClientAnswer) => void = () => {},
  ) {
    this.#addresses = addresses
    this.#setup = setup
    this.#pause = pause
    this.#onAnswer = onAnswer
    const createSets = () =>
      Object.fromEntries(kinds.map((kind) => [kind, new Set()])) as Record<Kind, Set<string>>
    this.acknowledged = createSets()
    this.attempted = createSets()
  }

  /** Starts writers. Each sends every kind of request in turn. */
  async start(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      const name = `counter-${randomUUID()}`
      const json = buildOffer(this.#setup, name, 0)
      const request: ClientRequest = { method: 'POST', path: '/api/admin/offers/', json }
      const { id } = await sendOrThrow<{ id: number }>(this.#pickAddress(), this.#setup.token, request)
      const counter = { id, acknowledged: 0, attempted: 0 }
      this.counters.push(counter)
      this.#loops.push(this.#write(number, name, counter))
    }
  }

  /** Resolves when the last request of each writer is acknowledged or given up. */
  async stop(): Promise<void> {
    this.#stoppedAt = performance.now()
    await Promise.all(this.#loops)
  }

  /** Waits for `count` more acknowledged requests. Throws after a minute. */
  async waitForAcknowledged(count: number): Promise<void> {
    const before = this.acknowledgedCount
    const startedAt = performance.now()
    while (this.acknowledgedCount < before + count) {
      if (performance.now() - startedAt > maxWait)
        throw new Error(`Nothing was acknowledged for a minute: ${this.unexpectedAnswers.join(' ')}`)
      await sleep(10)
    }
  }

  async #write(number: number, name: string, counter: Counter): Promise<void> {
    for (let index = number; this.#stoppedAt === undefined; index += 1) {
      const kind = kinds[index % (kinds.length + 1)]
      if (kind === undefined) await this.#updateCounter(name, counter)
      else await this.#create(kind)
      if (this.#pause > 0) await sleep(this.#pause)
    }
  }

  async #create(kind: Kind): Promise<void> {
    const id = `${kind}-${randomUUID()}`
    this.attempted[kind].add(id)
    if (await this.#sendUntilAcknowledged(requestBuilders[kind](this.#setup, id)))
      this.acknowledged[kind].add(id)
  }

  async #updateCounter(name: string, counter: Counter): Promise<void> {
    const next = counter.acknowledged + 1
    counter.attempted = next
    const json = buildOffer(this.#setup, name, next)
    const path = `/api/admin/offers/${counter.id}`
    if (await this.#sendUntilAcknowledged({ method: 'POST', path, json, key: randomUUID() }))
      counter.acknowledged = next
  }

  /** Repeats a request until it is acknowledged. */
  async #sendUntilAcknowledged(request: ClientRequest): Promise<boolean> {
    for (;;) {
      const answer = await send(this.#pickAddress(), this.#setup.token, request)
      this.#onAnswer(answer)
      if (isAcknowledged(answer)) {
        this.acknowledgedCount += 1
        return true
      }
      if (!isTemporary(answer)) {
        this.unexpectedAnswers.push(
          `${request.method} ${request.path}: ${answer.status} ${answer.text.slice(0, 300)}`,
        )
        return false
      }
      if (this.#stoppedAt !== undefined && performance.now() - this.#stoppedAt > maxWait) return false
      this.repeats += 1
      await sleep(50 + Math.random() * 100)
    }
  }

  #pickAddress(): string {
    const addresses = this.#addresses()
    return addresses[Math.floor(Math.random() * addresses.length)] ?? ''
  }
}

const isAcknowledged = ({ status, text }: ClientAnswer): boolean =>
  (status >= 200 && status <= 299) || (status === 409 && text.includes('"already_done"'))

/** No answer, busy, or the first request with the same key is in progress. */
const isTemporary = ({ status, text }: ClientAnswer): boolean =>
  [0, 429, 503].includes(status) || (status === 409 && text.includes('"in_progress"'))
