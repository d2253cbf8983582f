import { expect, test } from 'vitest'
import { parseOffers, parseOrders, parseStreams } from './connectors.parse.ts'

const list = { url: '', items: '', paging: { by: 'none' as const } }

test('an order whose id has only invisible characters is not read', () => {
  const orders = { ...list, fields: { external_id: 'id', status: 'status', created_at: 'at' } }
  const at = '2026-11-20T10:00:00Z'
  const { rows, problems } = parseOrders({}, orders, [
    { id: 1, status: 'sold', at },
    { id: '\u200B', status: 'sold', at },
  ])
  expect(rows).toMatchObject([{ external_id: '1' }])
  expect(problems).toEqual(['id is missing'])
})

test('an order in a currency that does not exist is a problem', () => {
  const fields = { external_id: 'id', status: 'status', created_at: 'at', currency: 'currency' }
  const order = { id: 1, status: 'sold', at: '2026-11-20T10:00:00Z' }
  const items = ['usd', 'ABC'].map((currency) => ({ ...order, currency }))
  const { rows, problems } = parseOrders({}, { ...list, fields }, items)
  expect(rows).toMatchObject([{ currency: 'USD' }])
  expect(problems).toEqual(['currency is not a currency code of ISO 4217 such as UZS'])
})

test('the time to read a long address does not grow with the square of its length', () => {
  const streams = { ...list, fields: { extra_id: 'id', name: 'name', url: 'url' } }
  const measure = (length: number) => {
    const start = performance.now()
    const { problems } = parseStreams(streams, [{ id: 1, name: 'a', url: `http://${'a'.repeat(length)} b` }])
    expect(problems).toEqual(['url is not an http address'])
    return performance.now() - start
  }
  measure(1000)
  // Another process may interrupt some of the measurements.
  const long = Math.min(...[1, 2, 3].map(() => measure(50_000)))
  expect(long).toBeLessThan(Math.max(measure(1000), 0.2) * 500)
})

test.each([
  [0.1 + 0.2, '0.30'],
  [100 / 3, '33.33'],
  [5.551115123125783e-17, '0.00'],
  ['33.33333333333333333333333333', '33.33'],
  ['19.995', '20.00'],
])('an order whose network calculated the payout %s has a payout of two decimals', (pay, payout) => {
  const fields = { external_id: 'id', status: 'status', created_at: 'at', payout: 'pay' }
  const order = { id: 1, status: 'sold', at: '2026-11-20T10:00:00Z', pay }
  const { rows, problems } = parseOrders({}, { ...list, fields }, [order])
  expect([rows[0]?.payout, problems]).toEqual([payout, []])
})

test.each([
  '0000-00-00',
  '0000-00-00 00:00:00',
  '0001-01-01T00:00:00',
  '0001-01-01T00:00:00Z',
  '1900-01-01 00:00:00',
])('the date %s, which programs write for no date, is no date', (changed) => {
  const fields = { external_id: 'id', status: 'status', created_at: 'at', updated_at: 'changed' }
  const order = { id: 1, status: 'sold', at: '2026-11-20T10:00:00Z', changed }
  const { rows, problems } = parseOrders({}, { ...list, fields }, [order, { ...order, at: changed }])
  expect(rows).toMatchObject([{ external_id: '1', updated_at: null }])
  expect(problems).toEqual(['at is missing'])
})

test.each(['seconds', 'milliseconds'] as const)('the number 0 in %s is no time', (unit) => {
  const fields = { external_id: 'id', status: 'status', created_at: 'at', updated_at: 'changed' }
  const order = { id: 1, status: 'sold', at: unit === 'seconds' ? 1_763_600_000 : 1_763_600_000_000 }
  const items = [
    { ...order, changed: 0 },
    { ...order, changed: '0' },
    { ...order, at: 0 },
  ]
  const { rows, problems } = parseOrders({ time: { unit } }, { ...list, fields }, items)
  expect(rows).toMatchObject([{ updated_at: null }, { updated_at: null }])
  expect(problems).toEqual(['at is missing'])
})

test('a long text of a network is cut, and its order, offer or stream is kept', () => {
  const long = `${'я'.repeat(5000)}\0\uD800`
  const cut = `${'я'.repeat(254)}…`
  const fields = {
    external_id: 'id',
    status: 'status',
    created_at: 'at',
    cancel_reason: 'why',
    comment: 'note',
  }
  const order = { id: 1, status: 'cancelled', at: '2026-11-20T10:00:00Z', why: long, note: 'a\0\uD800b' }
  const orders = parseOrders({}, { ...list, fields }, [order])
  expect(orders).toMatchObject({ rows: [{ cancel_reason: cut, comment: 'a\uFFFDb' }], problems: [] })
  const names = { ...list, fields: { extra_id: 'id', name: 'name' } }
  for (const { rows } of [
    parseOffers({}, names, [{ id: 1, name: long }]),
    parseStreams(names, [{ id: 1, name: long }]),
  ])
    expect(rows).toMatchObject([{ extra_id: '1', name: cut }])
})
