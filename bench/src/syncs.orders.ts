import {
  sampleOffers,
  createStreams,
  type StoredOrder,
  type NetworkStore,
} from '@karvon/testkit/fakes/network.store.ts'

/** Milliseconds between two orders of an account, and from its creation to its final status. */
const orderInterval = 20 * 60_000
const openFor = 3 * 24 * 3_600_000
/** How far a run reads back behind the oldest open lead; see decision 13. */
const overlap = 24 * 3_600_000

/** Creates an account's orders, one every 20 minutes before `now`. Those of the last three days are open. */
export function createSteadyStore(account: number, orders: number, now: number): NetworkStore {
  const streams = createStreams(account * 10, ['Reels', 'TikTok', 'Telegram'])
  const rows = Array.from({ length: orders }, (_, i): StoredOrder => {
    const created = now - i * orderInterval
    const status = i * orderInterval < openFor ? 'accepted' : i % 3 === 0 ? 'cancelled' : 'delivered'
    const stream = streams[i % streams.length]?.id ?? 0
    const updated = Math.min(created + 3_600_000, now)
    return { id: orders - i, status, stream, payout: 3_000_000 + i, created, updated }
  })
  return {
    offers: sampleOffers,
    streams,
    orders: () => rows,
    balance: () => ({ balance: 0, hold: 0 }),
    transactions: () => [],
    withdrawals: () => [],
  }
}

/** Pages of orders that a run must read if nothing changed: up to the first page with only known, final orders. */
export function countPagesToRead(orders: number, size: number): number {
  const oldestOpen = Math.ceil(openFor / orderInterval) - 1
  const oldestRead = oldestOpen + Math.floor(overlap / orderInterval)
  return Math.min(Math.floor(oldestRead / size) + 2, Math.ceil(orders / size))
}
