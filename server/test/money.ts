import type { Page } from '@karvon/contract/lib/page.ts'
import type { Balance, Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { expect } from 'vitest'
import { createEncryption } from '../src/platform/security/encryption.ts'
import { callApi, createTestApp, signInAdmin, testKey, type Session } from './app.ts'
import { createUser } from './people.ts'

/** A person who has earned money. */
export interface PaidPerson {
  id: number
  session: Session
}

/** The day and reference of a payment. */
export const payment = { paid_on: '2026-01-31', reference: 'PAY-1' }

/** A product with two admins, and calls about people's money. */
export async function createMoneyFixture() {
  const product = await createTestApp()
  const admin = await signInAdmin(product.app)
  const roles = await callApi(product.app, admin, 'GET', '/api/admin/roles/?code=admin')
  const [role] = roles.json<Page<{ id: number }>>().items
  const otherAdmin = await createUser(product.app, admin, 'second-admin', role?.id)
  let people = 0
  const call = (as: Session, method: Parameters<typeof callApi>[2], url: string, body?: object) =>
    callApi(product.app, as, method, url, body)

  /** Adds an amount to what a person is owed. */
  const adjust = async (id: number, amount: number): Promise<void> => {
    const account_id = `person-${id}-UZS`
    const body = { account_id, amount: -amount, reason: 'Opening balance' }
    const answer = await call(admin, 'POST', '/api/admin/ledger/adjustments/', body)
    expect(answer.statusCode, answer.body).toBe(201)
  }
  const createPerson = async (amount: number): Promise<PaidPerson> => {
    people += 1
    const username = `buyer-${people}`
    const session = await createUser(product.app, admin, username)
    const answer = await call(admin, 'GET', `/api/admin/users/?username=${username}`)
    const id = answer.json<Page<{ id: number }>>().items[0]?.id ?? 0
    await adjust(id, amount)
    return { id, session }
  }
  const readBalance = async ({ session }: PaidPerson): Promise<Balance> => {
    const answer = await call(session, 'GET', '/api/user/balance')
    const { others: _others, ...ownBalance } = answer.json<Balance & { others: Balance[] }>()
    return ownBalance
  }
  const request = (person: PaidPerson, amount: number, details = '8600 1234 5678 9012 Uzcard') =>
    call(person.session, 'POST', '/api/user/withdrawals/', { currency: 'UZS', amount, details })
  /** Requests a withdrawal and answers its id. */
  const createWithdrawal = async (person: PaidPerson, amount: number): Promise<number> => {
    const answer = await request(person, amount)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json<Withdrawal>().id
  }
  /** Inserts approved withdrawals of 1 UZS, whatever the person has earned. Faster than calls. */
  const insertApproved = async (
    { id: userId }: PaidPerson,
    count: number,
    details: string,
  ): Promise<void> => {
    const encryption = createEncryption([testKey])
    const { rows } = await product.deps.pool.query<{ id: number }>(
      `insert into withdrawals (user_id, currency, amount, status, details)
       select $1, 'UZS', 1, 'approved', '•••• card' from generate_series(1, $2::integer) returning id`,
      [userId, count],
    )
    const secrets = rows.map(({ id }) =>
      encryption.encrypt(details, { table: 'withdrawals', row: id, column: 'details_encrypted' }),
    )
    await product.deps.pool.query(
      `update withdrawals w set details_encrypted = s.secret from unnest($1::bigint[], $2::text[]) s (id, secret)
       where w.id = s.id`,
      [rows.map(({ id }) => id), secrets],
    )
  }
  const decide = (as: Session, id: number, action: string, body: object = {}) =>
    call(as, 'POST', `/api/admin/withdrawals/${id}/${action}/`, body)
  return {
    product,
    admin,
    otherAdmin,
    call,
    adjust,
    createPerson,
    readBalance,
    request,
    createWithdrawal,
    insertApproved,
    decide,
  }
}
