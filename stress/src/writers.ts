import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { must, send, type ClientAnswer, type Asked } from './client.ts'
import { deeds, kinds, offer, type Ground, type Kind } from './writers.deeds.ts'

/** Milliseconds that a deed gets after the end before it counts as never acknowledged. */
const patience = 60_000

/** An offer that one writer alone changes, by one each time. */
export interface Counter {
  id: number
  acknowledged: number
  tried: number
}

/**
 * People who write over HTTP and repeat what was not acknowledged, with the same Idempotency-Key, until it is. They
 * remember what they were promised.
 */
export class Writers {
  readonly acknowledged: Record<Kind, Set<string>>
  readonly tried: Record<Kind, Set<string>>
  readonly counters: Counter[] = []
  /** Answers that nobody should get: neither done, nor 503, nor that the first is still under way. */
  readonly unexpected: string[] = []
  repeats = 0
  done = 0
  readonly #addresses: () => readonly string[]
  readonly #ground: Ground
  readonly #pause: number
  readonly #heard: (answer: ClientAnswer) => void
  #stopped: number | undefined
  #loops: Promise<void>[] = []

  /** `addresses`: where the product is now, one of them for each request. `pause`: milliseconds between two deeds of a writer. */
  constructor(
    addresses: () => readonly string[],
    ground: Ground,
    pause = 0,
    heard: (answer: ClientAnswer) => void = () => {},
  ) {
    this.#addresses = addresses
    this.#ground = ground
    this.#pause = pause
    this.#heard = heard
    const sets = () => Object.fromEntries(kinds.map((kind) => [kind, new Set()])) as Record<Kind, Set<string>>
    this.acknowledged = sets()
    this.tried = sets()
  }

  /** Starts so many writers; each does every kind of deed in turn. */
  async start(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      const name = `counter-${randomUUID()}`
      const json = offer(this.#ground, name, 0)
      const asked: Asked = { method: 'POST', path: '/api/admin/offers/', json }
      const { id } = await must<{ id: number }>(this.#address(), this.#ground.token, asked)
      const counter = { id, acknowledged: 0, tried: 0 }
      this.counters.push(counter)
      this.#loops.push(this.#write(number, name, counter))
    }
  }

  /** Resolves when everybody's last deed is acknowledged, or given up. */
  async stop(): Promise<void> {
    this.#stopped = performance.now()
    await Promise.all(this.#loops)
  }

  /** Resolves once so many more deeds are acknowledged; throws where they are not within a minute. */
  async more(count: number): Promise<void> {
    const from = this.done
    const began = performance.now()
    while (this.done < from + count) {
      if (performance.now() - began > patience)
        throw new Error(`Nothing was acknowledged for a minute: ${this.unexpected.join(' ')}`)
      await sleep(10)
    }
  }

  async #write(number: number, name: string, counter: Counter): Promise<void> {
    for (let turn = number; this.#stopped === undefined; turn += 1) {
      const kind = kinds[turn % (kinds.length + 1)]
      if (kind === undefined) await this.#count(name, counter)
      else await this.#make(kind)
      if (this.#pause > 0) await sleep(this.#pause)
    }
  }

  async #make(kind: Kind): Promise<void> {
    const id = `${kind}-${randomUUID()}`
    this.tried[kind].add(id)
    if (await this.#until(deeds[kind](this.#ground, id))) this.acknowledged[kind].add(id)
  }

  async #count(name: string, counter: Counter): Promise<void> {
    const next = counter.acknowledged + 1
    counter.tried = next
    const json = offer(this.#ground, name, next)
    const path = `/api/admin/offers/${counter.id}`
    if (await this.#until({ method: 'POST', path, json, key: randomUUID() })) counter.acknowledged = next
  }

  /** Repeats a request until it is acknowledged. */
  async #until(asked: Asked): Promise<boolean> {
    for (;;) {
      const answer = await send(this.#address(), this.#ground.token, asked)
      this.#heard(answer)
      if (isDone(answer)) {
        this.done += 1
        return true
      }
      if (!isForNow(answer)) {
        this.unexpected.push(`${asked.method} ${asked.path}: ${answer.status} ${answer.text.slice(0, 300)}`)
        return false
      }
      if (this.#stopped !== undefined && performance.now() - this.#stopped > patience) return false
      this.repeats += 1
      await sleep(50 + Math.random() * 100)
    }
  }

  #address(): string {
    const all = this.#addresses()
    return all[Math.floor(Math.random() * all.length)] ?? ''
  }
}

const isDone = ({ status, text }: ClientAnswer): boolean =>
  (status >= 200 && status <= 299) || (status === 409 && text.includes('"already_done"'))

/** Not reached, busy, or the first of the same key is under way. */
const isForNow = ({ status, text }: ClientAnswer): boolean =>
  [0, 429, 503].includes(status) || (status === 409 && text.includes('"in_progress"'))
