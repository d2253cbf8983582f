/** An order in the network's own data. Times are in milliseconds, the payout in hundredths. */
export interface StoredOrder {
  id: number
  status: string
  stream: number
  payout: number
  created: number
  updated: number
}

export interface StoredStream {
  id: number
  name: string
  offer: number
}

export interface StoredOffer {
  id: number
  name: string
  price: number
  fee: number
  /** The offer is not listed, but it can be requested by id and streams still use it. */
  delisted?: boolean
}

/** The data of a network. */
export interface NetworkStore {
  readonly offers: readonly StoredOffer[]
  readonly streams: readonly StoredStream[]
  /** The current orders, newest first. */
  orders(): readonly StoredOrder[]
  /** In hundredths. */
  balance(): { balance: number; hold: number }
}

const offerNames = ['Smart soat', 'Massajyor', 'Krossovka', 'Quloqchin', 'Termos', 'Choynak']

export const sampleOffers: readonly StoredOffer[] = offerNames.map((name, i) => ({
  id: 101 + i,
  name,
  price: (150_000 + i * 35_000) * 100,
  fee: (30_000 + i * 4500) * 100,
}))

/** Creates streams with ids from `first` on, each for one of the offers. */
export const createStreams = (first: number, names: readonly string[]): StoredStream[] =>
  names.map((name, i) => ({ id: first + i, name, offer: sampleOffers[i % sampleOffers.length]?.id ?? 101 }))

/** The possible next statuses of each status. A status without an entry is final. */
const nextStatuses: Readonly<Record<string, readonly string[]>> = {
  new: ['accepted', 'accepted', 'accepted', 'callback', 'cancelled', 'trash', 'hold'],
  hold: ['accepted', 'cancelled'],
  callback: ['accepted', 'cancelled'],
  accepted: ['sent', 'sent', 'sent', 'cancelled'],
  sent: ['delivered', 'delivered', 'delivered', 'not_delivered'],
  not_delivered: ['sent', 'client_returned'],
}

export const pickNextStatus = (status: string, chance: number): string | null => {
  const further = nextStatuses[status] ?? []
  return further[Math.floor(chance * further.length)] ?? null
}

/** Delivered orders count for the balance, open orders for the hold. */
export function computeBalance(orders: readonly StoredOrder[]): { balance: number; hold: number } {
  const sum = (statuses: readonly string[]) =>
    orders.reduce((all, order) => (statuses.includes(order.status) ? all + order.payout : all), 0)
  return { balance: sum(['delivered']), hold: sum(['accepted', 'sent', 'hold']) }
}

/** A store that changes only by its methods. `chance` gives numbers from 0 to 1. */
export class ScriptedStore implements NetworkStore {
  offers: readonly StoredOffer[] = sampleOffers
  readonly streams: readonly StoredStream[]
  /** All statuses of each order, oldest first, by the id of the order. */
  readonly statusHistory = new Map<number, string[]>()
  readonly #chance: () => number
  #orders: StoredOrder[] = []
  #last = 1000

  constructor(streams: readonly StoredStream[], chance: () => number) {
    this.streams = streams
    this.#chance = chance
  }

  orders(): readonly StoredOrder[] {
    return this.#orders
  }

  balance(): { balance: number; hold: number } {
    return computeBalance(this.#orders)
  }

  /** Adds `count` orders, created from the time `at` on. */
  addOrders(count: number, at: number): void {
    for (let i = 0; i < count; i++) {
      const stream = this.streams[Math.floor(this.#chance() * this.streams.length)]
      const offer = this.offers.find(({ id }) => id === stream?.offer)
      if (stream === undefined || offer === undefined) throw new Error('A store without streams')
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
      this.statusHistory.set(order.id, [order.status])
    }
  }

  /** Advances the orders until all have a final status. */
  settleOrders(at: number): void {
    while (this.#orders.some(({ status }) => nextStatuses[status] !== undefined))
      this.advanceOrders(this.#orders.length, at)
  }

  /** Sets the status of an order. */
  setStatus(id: number, status: string, at: number): void {
    const order = this.#orders.find((each) => each.id === id)
    if (order === undefined) throw new Error(`The store has no order ${id}`)
    Object.assign(order, { status, updated: at })
    this.statusHistory.get(id)?.push(status)
  }

  /** Removes orders created before a time, like a network that keeps orders for some weeks. */
  removeOrdersBefore(before: number): void {
    this.#orders = this.#orders.filter(({ created }) => created >= before)
  }

  /** Advances up to `count` orders by one status, at the time `at`. Answers how many changed. */
  advanceOrders(count: number, at: number): number {
    let moved = 0
    for (let i = 0; i < count; i++) {
      const order = this.#orders[Math.floor(this.#chance() * this.#orders.length)]
      const status = order === undefined ? null : pickNextStatus(order.status, this.#chance())
      if (order === undefined || status === null) continue
      Object.assign(order, { status, updated: Math.max(at, order.updated + 1000) })
      this.statusHistory.get(order.id)?.push(status)
      moved += 1
    }
    return moved
  }
}
