/** An order as the network itself keeps it; times in milliseconds, payout in whole hundredths. */
export interface BookOrder {
  id: number
  status: string
  stream: number
  payout: number
  created: number
  updated: number
}

export interface BookStream {
  id: number
  name: string
  offer: number
}

export interface BookOffer {
  id: number
  name: string
  price: number
  fee: number
  /** Off the list, though it can still be asked for and streams still sell it. */
  delisted?: boolean
}

/** What a network knows. */
export interface NetworkBook {
  readonly offers: readonly BookOffer[]
  readonly streams: readonly BookStream[]
  /** Newest first, as of now. */
  orders(): readonly BookOrder[]
  /** Whole hundredths. */
  balance(): { balance: number; hold: number }
}

const offerNames = ['Smart soat', 'Massajyor', 'Krossovka', 'Quloqchin', 'Termos', 'Choynak']

export const bookOffers: readonly BookOffer[] = offerNames.map((name, i) => ({
  id: 101 + i,
  name,
  price: (150_000 + i * 35_000) * 100,
  fee: (30_000 + i * 4500) * 100,
}))

/** Streams `first` and up, each for one of the offers. */
export const bookStreams = (first: number, names: readonly string[]): BookStream[] =>
  names.map((name, i) => ({ id: first + i, name, offer: bookOffers[i % bookOffers.length]?.id ?? 101 }))

/** Where a lead goes from each state, and how it may end. */
const ways: Readonly<Record<string, readonly string[]>> = {
  new: ['accepted', 'accepted', 'accepted', 'callback', 'cancelled', 'trash', 'hold'],
  hold: ['accepted', 'cancelled'],
  callback: ['accepted', 'cancelled'],
  accepted: ['sent', 'sent', 'sent', 'cancelled'],
  sent: ['delivered', 'delivered', 'delivered', 'not_delivered'],
  not_delivered: ['sent', 'client_returned'],
}

export const nextState = (status: string, chance: number): string | null => {
  const further = ways[status] ?? []
  return further[Math.floor(chance * further.length)] ?? null
}

/** Sold is owed, what is on its way is on hold. */
export function owed(orders: readonly BookOrder[]): { balance: number; hold: number } {
  const sum = (words: readonly string[]) =>
    orders.reduce((all, order) => (words.includes(order.status) ? all + order.payout : all), 0)
  return { balance: sum(['delivered']), hold: sum(['accepted', 'sent', 'hold']) }
}

/** A book that moves only when it is told to; `chance` gives numbers from 0 to 1. */
export class MovableBook implements NetworkBook {
  offers: readonly BookOffer[] = bookOffers
  readonly streams: readonly BookStream[]
  /** Every state that an order has had, in order, by its id. */
  readonly ways = new Map<number, string[]>()
  readonly #chance: () => number
  #orders: BookOrder[] = []
  #last = 1000

  constructor(streams: readonly BookStream[], chance: () => number) {
    this.streams = streams
    this.#chance = chance
  }

  orders(): readonly BookOrder[] {
    return this.#orders
  }

  balance(): { balance: number; hold: number } {
    return owed(this.#orders)
  }

  /** `count` new orders made at `at`. */
  make(count: number, at: number): void {
    for (let i = 0; i < count; i++) {
      const stream = this.streams[Math.floor(this.#chance() * this.streams.length)]
      const offer = this.offers.find(({ id }) => id === stream?.offer)
      if (stream === undefined || offer === undefined) throw new Error('A book without streams')
      this.#last += 1
      const created = at + i * 1000
      const order = {
        id: this.#last,
        status: 'new',
        stream: stream.id,
        payout: offer.fee + i,
        created,
        updated: created,
      }
      this.#orders.unshift(order)
      this.ways.set(order.id, [order.status])
    }
  }

  /** Moves every order until none can move any more. */
  settle(at: number): void {
    while (this.#orders.some(({ status }) => ways[status] !== undefined)) this.move(this.#orders.length, at)
  }

  /** Sets an order's status, whatever it was. */
  change(id: number, status: string, at: number): void {
    const order = this.#orders.find((each) => each.id === id)
    if (order === undefined) throw new Error(`The book has no order ${id}`)
    Object.assign(order, { status, updated: at })
    this.ways.get(id)?.push(status)
  }

  /** Takes orders that were made before off the list, as a network does that keeps them for some weeks. */
  drop(before: number): void {
    this.#orders = this.#orders.filter(({ created }) => created >= before)
  }

  /** Lets up to `count` orders go a step further, at `at`; answers how many did. */
  move(count: number, at: number): number {
    let moved = 0
    for (let i = 0; i < count; i++) {
      const order = this.#orders[Math.floor(this.#chance() * this.#orders.length)]
      const status = order === undefined ? null : nextState(order.status, this.#chance())
      if (order === undefined || status === null) continue
      Object.assign(order, { status, updated: Math.max(at, order.updated + 1000) })
      this.ways.get(order.id)?.push(status)
      moved += 1
    }
    return moved
  }
}
