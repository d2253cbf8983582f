import {
  sampleOffers,
  pickNextStatus,
  computeBalance,
  type StoredOrder,
  type StoredStream,
  type NetworkStore,
} from './network.store.ts'

const minute = 60_000
/** Milliseconds between two new orders, and milliseconds until an order is removed. */
const orderInterval = 2.5 * minute
const orderLifetime = 60 * minute

/** A pseudo-random number from 0 up to 1. The same two integers always give the same number. */
export function randomOf(a: number, b: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296
}

/**
 * A store that depends on the time only. A new order is added every two and a half minutes, and its status advances
 * every few minutes. A restarted store continues with the same orders.
 */
export class ClockStore implements NetworkStore {
  readonly offers = sampleOffers
  readonly streams: readonly StoredStream[]
  readonly #seed: number
  readonly #now: () => number

  constructor(streams: readonly StoredStream[], now: () => number = Date.now) {
    this.streams = streams
    this.#seed = (streams[0]?.id ?? 0) * 1000
    this.#now = now
  }

  orders(): readonly StoredOrder[] {
    const now = this.#now()
    const last = Math.floor(now / orderInterval)
    const numbers = Array.from({ length: orderLifetime / orderInterval }, (_, back) => last - back)
    return numbers
      .map((n) => this.#orderAt(n, now))
      .filter(({ created }) => created <= now)
      .toSorted((a, b) => b.created - a.created)
  }

  balance(): { balance: number; hold: number } {
    return computeBalance(this.orders())
  }

  #orderAt(n: number, now: number): StoredOrder {
    const id = this.#seed + n
    const stream = this.streams[Math.floor(randomOf(id, 0) * this.streams.length)]
    const offer = sampleOffers.find(({ id }) => id === stream?.offer)
    if (stream === undefined || offer === undefined) throw new Error('A store without streams')
    const created = Math.floor((n + randomOf(id, 1)) * orderInterval)
    const order = { id, status: 'new', stream: stream.id, payout: offer.fee, created, updated: created }
    for (let step = 2; ; step += 2) {
      const at = order.updated + Math.floor((1 + 6 * randomOf(id, step)) * minute)
      const status = pickNextStatus(order.status, randomOf(id, step + 1))
      if (status === null || at > now) return order
      Object.assign(order, { status, updated: at })
    }
  }
}
