import { createStreams, type StoredOrder } from '@karvon/testkit/fakes/network.store.ts'
import { ClockStore } from '@karvon/testkit/fakes/network.clock.ts'
import { listActsAt, listParcelsAt } from '@karvon/testkit/fakes/measoft.clock.ts'
import { expect, test } from 'vitest'

const begin = Date.parse('2026-11-20T09:00:00Z')
const minute = 60_000
const openTime = begin - 60 * minute
const streams = createStreams(9101, ['Reels', 'TikTok'])
const openStore = (now: number): ClockStore => {
  const store = new ClockStore(streams, () => now)
  store.openedAt = openTime
  return store
}
const at = (now: number): readonly StoredOrder[] => openStore(now).orders()

test("the demo network's orders progress with time and are the same for every reader", () => {
  let movedCount = 0
  let newCount = 0
  let before = new Map(at(begin).map((order) => [order.id, order]))
  expect(before.size).toBeGreaterThan(20)
  for (let now = begin + minute; now < begin + 60 * minute; now += minute) {
    const orders = at(now)
    expect(at(now)).toEqual(orders)
    expect(orders.map(({ created }) => created)).toEqual(
      orders.map(({ created }) => created).toSorted((a, b) => b - a),
    )
    for (const order of orders) {
      const knownOrder = before.get(order.id)
      expect(order.updated).toBeLessThanOrEqual(now)
      if (knownOrder === undefined) {
        newCount += 1
        expect(order.created).toBeGreaterThan(now - 3 * minute)
      } else if (knownOrder.updated === order.updated) expect(order).toEqual(knownOrder)
      else {
        movedCount += 1
        expect(order).toMatchObject({
          created: knownOrder.created,
          stream: knownOrder.stream,
          payout: knownOrder.payout,
        })
        expect(order.updated).toBeGreaterThan(knownOrder.updated)
      }
    }
    before = new Map(orders.map((order) => [order.id, order]))
  }
  expect(newCount).toBeGreaterThan(20)
  expect(movedCount).toBeGreaterThan(40)
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
    const deliveredOrders = [...orders.values()].filter(({ status }) => status === 'delivered')
    expect(credits).toHaveLength(deliveredOrders.length)
  }
})

test("the demo courier's parcels only gain statuses", () => {
  const knownParcels = new Map(
    listParcelsAt(begin, openTime).map((parcel) => [parcel.orderno, parcel.statuses]),
  )
  let further = 0
  for (const { orderno, statuses } of listParcelsAt(begin + 10 * minute, openTime)) {
    const knownStatuses = knownParcels.get(orderno) ?? []
    expect(statuses.slice(0, knownStatuses.length)).toEqual(knownStatuses)
    if (statuses.length > knownStatuses.length) further += 1
  }
  expect(further).toBeGreaterThan(5)
})

test("the demo courier's acts list each delivered parcel once, are paid later, and are the same after a day's pause", () => {
  const until = begin + 20 * 60 * minute
  const knownLines = new Map<string, string>()
  const paidActs = new Set<string>()
  for (let now = begin; now <= until; now += 30 * minute)
    for (const { code, lines, datepay } of listActsAt(now, openTime)) {
      const orderNumbers = lines.map(({ orderno }) => orderno).join(' ')
      expect(knownLines.get(code) ?? orderNumbers).toBe(orderNumbers)
      knownLines.set(code, orderNumbers)
      if (datepay === undefined) expect(paidActs).not.toContain(code)
      else paidActs.add(code)
    }
  expect(knownLines.size).toBeGreaterThan(8)
  expect(knownLines.size - paidActs.size).toBe(1)
  const settledNumbers = [...knownLines.values()].flatMap((orderNumbers) => orderNumbers.split(' '))
  expect(new Set(settledNumbers).size).toBe(settledNumbers.length)
  const deliveredNumbers = new Set(
    listParcelsAt(until, openTime).flatMap(({ orderno, statuses }) =>
      statuses.at(-1)?.code === 'COMPLETE' ? [orderno] : [],
    ),
  )
  expect(settledNumbers.filter((orderno) => !deliveredNumbers.has(orderno))).toEqual([])
  expect(settledNumbers.length).toBeGreaterThan(deliveredNumbers.size * 0.8)
})
