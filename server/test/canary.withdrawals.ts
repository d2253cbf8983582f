import { expect } from 'vitest'
import { callApi } from './app.ts'
import type { createCanaryFixture } from './canary.fixture.ts'

type CanaryFixture = Awaited<ReturnType<typeof createCanaryFixture>>

/**
 * Withdrawals of the admin whose payment details are canaries: paid, declined, sent, and refused requests.
 * Answers the names of those that the registry and the metrics show.
 */
export async function requestWithdrawals(
  fixture: CanaryFixture,
): Promise<{ registry: string[]; metrics: string[] }> {
  const { product, admin, query, send, canaries } = fixture
  const [{ id: adminId } = { id: '' }] = await query(`select id from users where username = 'admin'`)
  const amount = -1000
  const adjustment = { account_id: `person-${adminId}-UZS`, amount, reason: 'Opening balance' }
  expect(await send('POST', '/api/admin/ledger/adjustments/', adjustment)).toBe(201)
  const url = '/api/user/withdrawals/'
  const request = async (details: unknown, sum: unknown = 10) => send('POST', url, { amount: sum, details })
  const requests = [
    ['paid', 10, 201],
    ['declined', 10, 201],
    ['approved', 10, 201],
    ['refused', 9_999_999, 409],
    ['malformed', 'ten', 422],
  ] as const
  for (const [name, sum, status] of requests)
    expect(await request(canaries.create(`payment details, ${name}`), sum)).toBe(status)
  const wrong = canaries.create('payment details, wrong type')
  for (const details of [[wrong], { [wrong]: wrong }, wrong.repeat(200), `${wrong}\0`])
    expect(await request(details)).toBe(422)
  const rows = await query(`select id from withdrawals order by id`)
  const [paidId, declinedId, approvedId] = rows.map(({ id }) => id)
  const decide = (id: unknown, action: string, body: object = {}) =>
    send('POST', `/api/admin/withdrawals/${String(id)}/${action}/`, body)
  expect(await decide(paidId, 'approve')).toBe(200)
  expect(await decide(paidId, 'pay', { paid_on: '2026-01-31', reference: 'PAY-1' })).toBe(200)
  expect(await decide(declinedId, 'decline', { reason: 'No' })).toBe(200)
  // The third waits for the bank, with its encrypted details.
  expect(await decide(approvedId, 'approve')).toBe(200)
  expect(await send('POST', '/api/admin/payment-registries/', { currency: 'UZS' })).toBe(201)
  const registry = await callApi(product.app, admin, 'GET', '/api/admin/payment-registries/1/payments/')
  const metrics = await product.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  expect([registry.statusCode, metrics.statusCode]).toEqual([200, 200])
  return { registry: canaries.findIn(registry.body), metrics: canaries.findIn(metrics.body) }
}
