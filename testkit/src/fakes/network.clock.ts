import {
  bookOffers,
  nextState,
  owed,
  type BookOrder,
  type BookStream,
  type NetworkBook,
} from './network.book.ts'

const minute = 60_000
/** An order comes in every so many milliseconds, and stands in the book for so long. */
const pace = 2.5 * minute
const kept = 60 * minute

/** From 0 up to 1, the same for the same two whole numbers, whenever and wherever it is asked. */
export function chanceOf(a: number, b: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296
}

/**
 * A book that moves by the clock alone: an order comes every two and a half minutes and goes a step further every few
 * minutes. What it says at a moment depends on the moment only, so one that starts anew goes on.
 */
export class ClockBook implements NetworkBook {
  readonly offers = bookOffers
  readonly streams: readonly BookStream[]
  readonly #seed: number
  readonly #now: () => number

  constructor(streams: readonly BookStream[], now: () => number = Date.now) {
    this.streams = streams
    this.#seed = (streams[0]?.id ?? 0) * 1000
    this.#now = now
  }

  orders(): readonly BookOrder[] {
    const now = this.#now()
    const last = Math.floor(now / pace)
    const numbers = Array.from({ length: kept / pace }, (_, back) => last - back)
    return numbers
      .map((n) => this.#orderAt(n, now))
      .filter(({ created }) => created <= now)
      .toSorted((a, b) => b.created - a.created)
  }

  balance(): { balance: number; hold: number } {
    return owed(this.orders())
  }

  #orderAt(n: number, now: number): BookOrder {
    const id = this.#seed + n
    const stream = this.streams[Math.floor(chanceOf(id, 0) * this.streams.length)]
    const offer = bookOffers.find(({ id }) => id === stream?.offer)
    if (stream === undefined || offer === undefined) throw new Error('A book without streams')
    const created = Math.floor((n + chanceOf(id, 1)) * pace)
    const order = { id, status: 'new', stream: stream.id, payout: offer.fee, created, updated: created }
    for (let step = 2; ; step += 2) {
      const at = order.updated + Math.floor((1 + 6 * chanceOf(id, step)) * minute)
      const status = nextState(order.status, chanceOf(id, step + 1))
      if (status === null || at > now) return order
      Object.assign(order, { status, updated: at })
    }
  }
}
