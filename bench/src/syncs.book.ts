import {
  sampleOffers,
  createStreams,
  type StoredOrder,
  type NetworkStore,
} from '@karvon/testkit/fakes/network.store.ts'

/** Milliseconds between two orders of an account, and for how long one can still move. */
const apart = 20 * 60_000
const open = 3 * 24 * 3_600_000
/** How far behind the oldest open lead a run looks; see decision 13. */
const overlap = 24 * 3_600_000

/** An account's orders, one each 20 minutes back from `now`, those of the last three days still on their way. */
export function steadyBook(account: number, orders: number, now: number): NetworkStore {
  const streams = createStreams(account * 10, ['Reels', 'TikTok', 'Telegram'])
  const rows = Array.from({ length: orders }, (_, i): StoredOrder => {
    const created = now - i * apart
    const status = i * apart < open ? 'accepted' : i % 3 === 0 ? 'cancelled' : 'delivered'
    const stream = streams[i % streams.length]?.id ?? 0
    const updated = Math.min(created + 3_600_000, now)
    return { id: orders - i, status, stream, payout: 3_000_000 + i, created, updated }
  })
  return { offers: sampleOffers, streams, orders: () => rows, balance: () => ({ balance: 0, hold: 0 }) }
}

/** Pages of orders that have to be looked at where nothing changed: to the first that is wholly known and final. */
export function pagesToLookAt(orders: number, size: number): number {
  const oldestOpen = Math.ceil(open / apart) - 1
  const oldestLookedAt = oldestOpen + Math.floor(overlap / apart)
  return Math.min(Math.floor(oldestLookedAt / size) + 2, Math.ceil(orders / size))
}
