import { expect, test } from 'vitest'
import { parseOrders, parseStreams } from './connectors.parse.ts'

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
  expect(measure(50_000)).toBeLessThan(Math.max(measure(1000), 0.2) * 500)
})
