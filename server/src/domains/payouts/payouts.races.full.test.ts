import { randomUUID } from 'node:crypto'
import type { Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { afterAll, expect, test } from 'vitest'
import type { Session } from '../../../test/app.ts'
import { createMoneyFixture, payment } from '../../../test/money.ts'

const { product, admin, otherAdmin, createPerson, readBalance, createWithdrawal, decide, request } =
  await createMoneyFixture()
afterAll(() => product.close())

type Action = 'approve' | 'pay' | 'decline'
const bodies = { approve: {}, pay: payment, decline: { reason: 'No' } } as const

/** What both admins do at once, and how the withdrawal can end. `before`: what one of them did earlier. */
const races: readonly { before: readonly Action[]; actions: readonly Action[]; ends: readonly string[] }[] = [
  { before: [], actions: ['approve'], ends: ['approved'] },
  { before: [], actions: ['approve', 'decline'], ends: ['declined'] },
  { before: ['approve'], actions: ['pay'], ends: ['paid'] },
  { before: ['approve'], actions: ['pay', 'decline'], ends: ['paid', 'declined'] },
  { before: [], actions: ['approve', 'pay', 'decline'], ends: ['declined', 'paid'] },
]

interface Outcome {
  action: Action
  isDone: boolean
}

/**
 * With `isKeyed`, the request is sent twice at once with one Idempotency-Key, as by a client that repeats it. Both get the
 * answer of the change. A refusal is not stored, so a repeat may be refused for another reason, or succeed.
 */
async function send(as: Session, id: number, action: Action, isKeyed: boolean): Promise<Outcome> {
  const headers = { ...as.headers, ...(isKeyed && { 'idempotency-key': randomUUID() }) }
  const url = `/api/admin/withdrawals/${id}/${action}/`
  const sendOnce = () => product.app.inject({ method: 'POST', url, headers, payload: bodies[action] })
  const answers = await Promise.all(isKeyed ? [sendOnce(), sendOnce()] : [sendOnce()])
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(new Set([...codes, 200, 409]), String(codes)).toEqual(new Set([200, 409]))
  const doneAnswers = answers.filter(({ statusCode }) => statusCode === 200)
  expect(new Set(doneAnswers.map(({ body }) => body)).size).toBeLessThanOrEqual(1)
  return { action, isDone: doneAnswers.length > 0 }
}

const readRow = async (id: number) =>
  (
    await product.deps.pool.query<{ status: string; entries: number; audits: number }>(
      `select status,
         (select count(*)::integer from ledger_entries where cause_type = 'withdrawal' and cause_id = w.id) as entries,
         (select count(*)::integer from audit_log where resource = 'withdrawals' and row_id = w.id
            and action <> 'create') as audits
       from withdrawals w where id = $1`,
      [id],
    )
  ).rows[0]

test('a hundred withdrawals that two admins decide at once each end once, with keys and without', async () => {
  const buyer = await createPerson(1_000_000)
  let paidCount = 0
  for (let round = 0; round < 100; round += 1) {
    const race = races[round % races.length]
    if (race === undefined) throw new Error('There is no race')
    const isKeyed = Math.floor(round / races.length) % 2 === 1
    const id = await createWithdrawal(buyer, 10.01)
    for (const action of race.before) expect((await decide(admin, id, action)).statusCode).toBe(200)
    const outcomes = await Promise.all(
      [admin, otherAdmin].flatMap((as) => race.actions.map((action) => send(as, id, action, isKeyed))),
    )
    const doneActions = outcomes.filter(({ isDone }) => isDone).map(({ action }) => action)
    const codes = doneActions.join()
    const count = (action: Action) => doneActions.filter((doneAction) => doneAction === action).length
    const row = await readRow(id)
    expect(race.ends, codes).toContain(row?.status)
    for (const action of race.actions) expect(count(action), codes).toBeLessThanOrEqual(1)
    expect(count('pay'), codes).toBe(row?.status === 'paid' ? 1 : 0)
    expect(count('decline'), codes).toBe(row?.status === 'declined' ? 1 : 0)
    expect(row?.entries, codes).toBe(row?.status === 'paid' ? 2 : 0)
    expect(row?.audits, codes).toBe(race.before.length + doneActions.length)
    if (row?.status === 'paid') paidCount += 1
    // So that no more than ten are open.
    if (row?.status === 'approved')
      expect((await decide(admin, id, 'decline', { reason: 'No' })).statusCode).toBe(200)
  }
  expect(paidCount).toBeGreaterThanOrEqual(20)
  const balance = await readBalance(buyer)
  expect(balance).toMatchObject({ requested: 0, paid: Math.round(paidCount * 1001) / 100 })
})

test('simultaneous requests of one person never exceed the available amount, and with one key they are one request', async () => {
  const buyer = await createPerson(100)
  const answers = await Promise.all(Array.from({ length: 12 }, () => request(buyer, 33.34)))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
    201,
    201,
    ...Array<number>(10).fill(409),
  ])
  expect(await readBalance(buyer)).toMatchObject({ available: 33.32, requested: 66.68 })
  const headers = { ...buyer.session.headers, 'idempotency-key': randomUUID() }
  const payload = { currency: 'UZS', amount: 10, details: 'Card' }
  const repeatAnswers = await Promise.all(
    Array.from({ length: 6 }, () =>
      product.app.inject({ method: 'POST', url: '/api/user/withdrawals/', headers, payload }),
    ),
  )
  expect(new Set(repeatAnswers.map((answer) => answer.json<Withdrawal>().id)).size).toBe(1)
  expect(await readBalance(buyer)).toMatchObject({ available: 23.32 })
})

test('a balance that is read while withdrawals are paid counts each payment once', async () => {
  const buyer = await createPerson(1000)
  const earnedSums = new Set<number>()
  const end = new AbortController()
  const read = async () => {
    while (!end.signal.aborted) earnedSums.add((await readBalance(buyer)).earned)
  }
  const readers = [read(), read(), read()]
  for (let n = 0; n < 40; n += 1) {
    const id = await createWithdrawal(buyer, 10)
    await decide(admin, id, 'approve')
    await decide(admin, id, 'pay', payment)
  }
  end.abort()
  await Promise.all(readers)
  expect([...earnedSums]).toEqual([1000])
})
