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
  isDelisted?: boolean
}

/** An entry of the account, in hundredths with a sign. `target`: the order or the withdrawal. */
export interface StoredTransaction {
  id: number
  amount: number
  type: string
  targetType: 'order' | 'withdraw' | null
  target: number | null
  comment: string
  at: number
}

/** A payment of the network, in hundredths. */
export interface StoredWithdrawal {
  id: number
  account: string
  amount: number
  status: 'pending' | 'paid' | 'declined'
  at: number
}

/** The data of a network. */
export interface NetworkStore {
  readonly offers: readonly StoredOffer[]
  readonly streams: readonly StoredStream[]
  /** The current orders, newest first. */
  orders(): readonly StoredOrder[]
  /** In hundredths. `hold`: the part of the transactions that cannot be withdrawn yet. */
  balance(): { balance: number; hold: number }
  /** Newest first. */
  transactions(): readonly StoredTransaction[]
  /** Newest first. */
  withdrawals(): readonly StoredWithdrawal[]
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

/** What the transactions sum to. Those of orders since `heldSince` are on hold. */
export function computeBalance(
  transactions: readonly StoredTransaction[],
  heldSince: number,
): { balance: number; hold: number } {
  const sum = (rows: readonly StoredTransaction[]) => rows.reduce((total, { amount }) => total + amount, 0)
  const hold = sum(transactions.filter(({ targetType, at }) => targetType === 'order' && at >= heldSince))
  return { balance: sum(transactions) - hold, hold }
}

/** A store that changes only by its methods. `chance` gives numbers from 0 to 1. */
export class ScriptedStore implements NetworkStore {
  offers: readonly StoredOffer[] = sampleOffers
  readonly streams: readonly StoredStream[]
  /** All statuses of each order, oldest first, by the id of the order. */
  readonly statusHistory = new Map<number, string[]>()
  readonly #chance: () => number
  /** Transactions of orders since this time are on hold. */
  heldSince = Infinity
  #orders: StoredOrder[] = []
  readonly #transactions: StoredTransaction[] = []
  readonly #withdrawals: StoredWithdrawal[] = []
  #last = 1000
  #lastTransaction = 5000
  #lastWithdrawal = 700

  constructor(streams: readonly StoredStream[], chance: () => number) {
    this.streams = streams
    this.#chance = chance
  }

  orders(): readonly StoredOrder[] {
    return this.#orders
  }

  balance(): { balance: number; hold: number } {
    return computeBalance(this.#transactions, this.heldSince)
  }

  transactions(): readonly StoredTransaction[] {
    return this.#transactions
  }

  withdrawals(): readonly StoredWithdrawal[] {
    return this.#withdrawals
  }

  /** Adds an entry to the account. */
  addTransaction(entry: Omit<StoredTransaction, 'id'>): void {
    this.#lastTransaction += 1
    this.#transactions.unshift({ id: this.#lastTransaction, ...entry })
  }

  /** Debits a withdrawal, and lists it unless it is `hidden`. Answers its id. */
  withdraw(amount: number, at: number, status: StoredWithdrawal['status'] | 'hidden' = 'paid'): number {
    const id = (this.#lastWithdrawal += 1)
    this.addTransaction({
      amount: -amount,
      type: 'debit',
      targetType: 'withdraw',
      target: id,
      comment: 'To the card 8600 1234 5678 9012',
      at,
    })
    if (status !== 'hidden')
      this.#withdrawals.unshift({ id, account: '8600123456789012', amount, status, at })
    return id
  }

  /** Sets the status of a withdrawal. A declined one is put back on the account. */
  setWithdrawalStatus(id: number, status: StoredWithdrawal['status'], at: number): void {
    const withdrawal = this.#withdrawals.find((entry) => entry.id === id)
    if (withdrawal === undefined) throw new Error(`The store has no withdrawal ${id}`)
    if (status === 'declined')
      this.addTransaction({
        amount: withdrawal.amount,
        type: 'credit',
        targetType: 'withdraw',
        target: id,
        comment: 'Declined',
        at,
      })
    withdrawal.status = status
  }

  /** Credits an order that became delivered, and takes the payout back when it no longer is. */
  #bookOrder(order: StoredOrder, before: string): void {
    const sign = Number(order.status === 'delivered') - Number(before === 'delivered')
    if (sign === 0) return
    this.addTransaction({
      amount: sign * order.payout,
      type: sign > 0 ? 'credit' : 'debit',
      targetType: 'order',
      target: order.id,
      comment: '',
      at: order.updated,
    })
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
    const order = this.#orders.find((entry) => entry.id === id)
    if (order === undefined) throw new Error(`The store has no order ${id}`)
    const before = order.status
    Object.assign(order, { status, updated: at })
    this.#bookOrder(order, before)
    this.statusHistory.get(id)?.push(status)
  }

  /** Removes orders created before a time, like a network that keeps orders for some weeks. */
  removeOrdersBefore(before: number): void {
    this.#orders = this.#orders.filter(({ created }) => created >= before)
  }

  /** Advances up to `count` orders by one status, at the time `at`. Answers how many changed. */
  advanceOrders(count: number, at: number): number {
    let movedCount = 0
    for (let i = 0; i < count; i++) {
      const order = this.#orders[Math.floor(this.#chance() * this.#orders.length)]
      const status = order === undefined ? null : pickNextStatus(order.status, this.#chance())
      if (order === undefined || status === null) continue
      const before = order.status
      Object.assign(order, { status, updated: Math.max(at, order.updated + 1000) })
      this.#bookOrder(order, before)
      this.statusHistory.get(order.id)?.push(status)
      movedCount += 1
    }
    return movedCount
  }
}
