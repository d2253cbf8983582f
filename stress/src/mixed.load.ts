import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'
import { anyAct } from './mixed.acts.ts'
import type { Ground } from './writers.deeds.ts'

/** One request: when, on the clock of performance.now, and how it ended (0: without an answer). */
export interface Sent {
  from: number
  to: number
  status: number
  what: string
}

/** More under way than this is a load that nobody carries; the rest waits. */
const most = 200

/** Requests of a desk to several addresses, noted one by one. */
export class Load {
  readonly sent: Sent[] = []
  readonly #addresses: () => readonly string[]
  readonly #ground: Ground
  #underWay = 0

  constructor(addresses: () => readonly string[], ground: Ground) {
    this.#addresses = addresses
    this.#ground = ground
  }

  /** Requests a second that so many people get done who each wait for their answer. */
  async capacity(people: number, seconds: number): Promise<number> {
    const until = performance.now() + seconds * 1000
    let answered = 0
    const person = async () => {
      while (performance.now() < until) {
        await this.one()
        answered += 1
      }
    }
    await Promise.all(Array.from({ length: people }, person))
    return answered / seconds
  }

  /** So many requests a second, whether or not the last ones were answered, until `signal` aborts. */
  async steadily(perSecond: number, signal: AbortSignal): Promise<void> {
    const began = performance.now()
    for (let due = 0; !signal.aborted; due += 1) {
      const wait = began + (due * 1000) / perSecond - performance.now()
      if (wait > 1) await sleep(wait)
      // Behind by a lot after a fault: what was not sent is not sent later all at once.
      if (wait < -1000) due = Math.floor(((performance.now() - began) * perSecond) / 1000)
      if (this.#underWay < most) void this.one()
    }
    while (this.#underWay > 0) await sleep(10)
  }

  /** One request by chance. */
  async one(): Promise<void> {
    const all = this.#addresses()
    const url = all[Math.floor(Math.random() * all.length)] ?? ''
    const asked = anyAct(this.#ground)
    const from = performance.now()
    this.#underWay += 1
    const { status, text } = await send(url, this.#ground.token, asked)
    this.#underWay -= 1
    const detail = status >= 200 && status <= 299 ? '' : ` ${text.slice(0, 200)}`
    this.sent.push({ from, to: performance.now(), status, what: `${asked.method} ${asked.path}${detail}` })
  }
}
