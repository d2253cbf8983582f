import {
  sampleOffers,
  pickNextStatus,
  computeBalance,
  type StoredOrder,
  type StoredStream,
  type StoredTransaction,
  type StoredWithdrawal,
  type NetworkStore,
} from './network.store.ts'

const minute = 60_000
const hour = 60 * minute
/** Milliseconds between two new orders, and milliseconds until the status of an order is final. */
const orderInterval = 2.5 * minute
const orderLifetime = hour
/** The transactions of orders of this time are on hold, in milliseconds. */
const holdTime = 20 * minute
/**
 * The hours of which the store lists orders, transactions and withdrawals, and the hours until the orders of an hour are paid.
 * A product that was stopped for less than a day gets the order of each transaction.
 */
const listedHours = 24
const hoursUntilPayment = 2

/** A pseudo-random number from 0 up to 1. The same two integers always give the same number. */
export function randomOf(a: number, b: number): number {
  let mixedBits = Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca6b)
  mixedBits = Math.imul(mixedBits ^ (mixedBits >>> 16), 0x21f0aaad)
  mixedBits = Math.imul(mixedBits ^ (mixedBits >>> 15), 0x735a2d97)
  return ((mixedBits ^ (mixedBits >>> 15)) >>> 0) / 4_294_967_296
}

/**
 * A store that depends on the time only. A new order is added every two and a half minutes, and its status advances
 * every few minutes. A restarted store continues with the same orders. An order without a final status keeps its last one
 * after an hour.
 */
export class ClockStore implements NetworkStore {
  readonly offers = sampleOffers
  readonly streams: readonly StoredStream[]
  /** The time when the account was opened. It has no older orders. */
  openedAt = 0
  readonly #seed: number
  readonly #now: () => number

  constructor(streams: readonly StoredStream[], now: () => number = Date.now) {
    this.streams = streams
    this.#seed = (streams[0]?.id ?? 0) * 1000
    this.#now = now
  }

  orders(): readonly StoredOrder[] {
    return this.#listOrders().toSorted((a, b) => b.created - a.created)
  }

  balance(): { balance: number; hold: number } {
    return computeBalance(this.transactions(), this.#now() - holdTime)
  }

  /** A delivered order is credited. Two hours later the network pays for all orders of an hour. */
  transactions(): readonly StoredTransaction[] {
    const credits = this.#listDelivered().map(({ id, payout, updated }) => ({
      id: id * 2,
      amount: payout,
      type: 'credit',
      targetType: 'order' as const,
      target: id,
      comment: '',
      at: updated,
    }))
    const debits = this.withdrawals().map(({ id, amount, at }) => ({
      id: id * 2 + 1,
      amount: -amount,
      type: 'debit',
      targetType: 'withdraw' as const,
      target: id,
      comment: '',
      at,
    }))
    return [...credits, ...debits].toSorted((a, b) => b.at - a.at)
  }

  withdrawals(): readonly StoredWithdrawal[] {
    const now = this.#now()
    const paidOrders = this.#listDelivered().filter(
      ({ created }) => getHour(created) + hoursUntilPayment <= getHour(now),
    )
    return [...Map.groupBy(paidOrders, ({ created }) => getHour(created))]
      .map(([number, orders]) => ({
        id: number,
        account: '8600123456789012',
        amount: orders.reduce((sum, { payout }) => sum + payout, 0),
        status: 'paid' as const,
        at: (number + hoursUntilPayment) * hour,
      }))
      .toSorted((a, b) => b.at - a.at)
  }

  #listDelivered(): StoredOrder[] {
    return this.#listOrders().filter(({ status }) => status === 'delivered')
  }

  /** The orders of the listed hours. */
  #listOrders(): StoredOrder[] {
    const now = this.#now()
    const firstHour = getHour(now) - listedHours
    const first = Math.floor((firstHour * hour) / orderInterval)
    const last = Math.floor(now / orderInterval)
    return Array.from({ length: last - first + 1 }, (_, i) => {
      const number = first + i
      return this.#orderAt(number, Math.min(now, number * orderInterval + orderLifetime))
    }).filter(({ created }) => created >= this.openedAt && created <= now && getHour(created) >= firstHour)
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

/** The number of the hour since 1970. */
const getHour = (at: number) => Math.floor(at / hour)
