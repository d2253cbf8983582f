import { createStreams, type StoredOrder } from '@karvon/testkit/fakes/network.store.ts'
import { ClockStore } from '@karvon/testkit/fakes/network.clock.ts'
import { listActsAt, listParcelsAt } from '@karvon/testkit/fakes/measoft.clock.ts'
import { expect, test } from 'vitest'

const begin = Date.parse('2026-11-20T09:00:00Z')
const minute = 60_000
const opened = begin - 60 * minute
const streams = createStreams(9101, ['Reels', 'TikTok'])
const openStore = (now: number): ClockStore => {
  const store = new ClockStore(streams, () => now)
  store.openedAt = opened
  return store
}
const at = (now: number): readonly StoredOrder[] => openStore(now).orders()

test("the demo network's orders progress with time and are the same for every reader", () => {
  let moved = 0
  let made = 0
  let before = new Map(at(begin).map((order) => [order.id, order]))
  expect(before.size).toBeGreaterThan(20)
  for (let now = begin + minute; now < begin + 60 * minute; now += minute) {
    const orders = at(now)
    expect(at(now)).toEqual(orders)
    expect(orders.map(({ created }) => created)).toEqual(
      orders.map(({ created }) => created).toSorted((a, b) => b - a),
    )
    for (const order of orders) {
      const known = before.get(order.id)
      expect(order.updated).toBeLessThanOrEqual(now)
      if (known === undefined) {
        made += 1
        expect(order.created).toBeGreaterThan(now - 3 * minute)
      } else if (known.updated === order.updated) expect(order).toEqual(known)
      else {
        moved += 1
        expect(order).toMatchObject({ created: known.created, stream: known.stream, payout: known.payout })
        expect(order.updated).toBeGreaterThan(known.updated)
      }
    }
    before = new Map(orders.map((order) => [order.id, order]))
  }
  expect(made).toBeGreaterThan(20)
  expect(moved).toBeGreaterThan(40)
  // The random choice is even: each stream has its share.
  const share = [...before.values()].filter(({ stream }) => stream === streams[0]?.id).length / before.size
  expect(Math.abs(share - 0.5)).toBeLessThan(0.25)
})

test("the demo network lists the order of each transaction, as it was credited, also after a day's pause", () => {
  for (const hours of [0, 1, 5, 12, 23, 30]) {
    const store = openStore(begin + hours * 60 * minute)
    const orders = new Map(store.orders().map((order) => [order.id, order]))
    const credits = store.transactions().filter(({ targetType }) => targetType === 'order')
    expect(credits.length).toBeGreaterThan(0)
    for (const { target, amount, at } of credits)
      expect(orders.get(target ?? 0)).toMatchObject({ status: 'delivered', payout: amount, updated: at })
    const delivered = [...orders.values()].filter(({ status }) => status === 'delivered')
    expect(credits).toHaveLength(delivered.length)
  }
})

test("the demo courier's parcels only gain statuses", () => {
  const known = new Map(listParcelsAt(begin, opened).map((parcel) => [parcel.orderno, parcel.statuses]))
  let further = 0
  for (const { orderno, statuses } of listParcelsAt(begin + 10 * minute, opened)) {
    const knownStatuses = known.get(orderno) ?? []
    expect(statuses.slice(0, knownStatuses.length)).toEqual(knownStatuses)
    if (statuses.length > knownStatuses.length) further += 1
  }
  expect(further).toBeGreaterThan(5)
})

test("the demo courier's acts list each delivered parcel once, are paid later, and are the same after a day's pause", () => {
  const until = begin + 20 * 60 * minute
  const known = new Map<string, string>()
  const paid = new Set<string>()
  for (let now = begin; now <= until; now += 30 * minute)
    for (const { code, lines, datepay } of listActsAt(now, opened)) {
      const listed = lines.map(({ orderno }) => orderno).join(' ')
      expect(known.get(code) ?? listed).toBe(listed)
      known.set(code, listed)
      if (datepay === undefined) expect(paid).not.toContain(code)
      else paid.add(code)
    }
  expect(known.size).toBeGreaterThan(8)
  expect(known.size - paid.size).toBe(1)
  const settled = [...known.values()].flatMap((listed) => listed.split(' '))
  expect(new Set(settled).size).toBe(settled.length)
  const delivered = new Set(
    listParcelsAt(until, opened).flatMap(({ orderno, statuses }) =>
      statuses.at(-1)?.code === 'COMPLETE' ? [orderno] : [],
    ),
  )
  expect(settled.filter((orderno) => !delivered.has(orderno))).toEqual([])
  expect(settled.length).toBeGreaterThan(delivered.size * 0.8)
})
