import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@karvon/contract/lib/page.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { buildLead } from '../../../test/lead-database.ts'
import { createMoneyFixture, payment, type PaidPerson } from '../../../test/money.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { seedDefaultMappings } from '../leads/leads.default-mappings.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { decideWithdrawal } from './payouts.decide.ts'

const { product, admin, call, createPerson, readBalance, request, createWithdrawal, decide } =
  await createMoneyFixture()
afterAll(() => product.close())
const { db } = product.deps

/** Returns a function that reports a lead of the person's stream with a payout of 100. */
async function createStreamOf({ id }: PaidPerson) {
  const { id: sourceId } = await db
    .insertInto('cpa_sources')
    .values({ name: `Network ${id}`, url: 'https://network.example' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await seedDefaultMappings(db, sourceId)
  const stream = await db
    .insertInto('streams')
    .values({ name: 'Stream', source_id: sourceId, user_id: id })
    .returning('id')
    .executeTakeFirstOrThrow()
  let hour = 0
  return (externalId: string, source_status: string) => {
    hour += 1
    const updated_at = `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`
    const lead = buildLead(externalId, { source_status, updated_at, payout: '100', stream_id: stream.id })
    return ingestLeads(db, { sourceId, leads: [lead], origin: 'connector' })
  }
}

test('a withdrawal is not paid after a lead is returned, until the balance covers the open withdrawals again', async () => {
  const buyer = await createPerson(50)
  const report = await createStreamOf(buyer)
  await report('first', 'sold')
  const [large, small] = [await createWithdrawal(buyer, 120), await createWithdrawal(buyer, 20)]
  for (const id of [large, small]) expect((await decide(admin, id, 'approve')).statusCode).toBe(200)
  await report('first', 'returned')
  expect(await readBalance(buyer)).toMatchObject({ earned: 50, available: -90, requested: 140 })
  expect((await decide(admin, large, 'pay', payment)).json()).toMatchObject({
    code: 'balance_insufficient',
    params: { available: 50 },
  })
  expect((await decide(admin, small, 'pay', payment)).json()).toMatchObject({
    code: 'withdrawals_over_balance',
    detail:
      'The open withdrawals of this person are 140 UZS together, and only 50 UZS are available. Decline one first.',
  })
  expect((await decide(admin, large, 'decline', { reason: 'A lead was returned' })).statusCode).toBe(200)
  expect((await decide(admin, small, 'pay', payment)).statusCode).toBe(200)
  expect(await readBalance(buyer)).toMatchObject({ earned: 50, available: 30, requested: 0, paid: 20 })
})

test('a return after the payment is a new entry, the balance falls below 0, and later leads cover it', async () => {
  const buyer = await createPerson(50)
  const report = await createStreamOf(buyer)
  await report('paid', 'sold')
  const id = await createWithdrawal(buyer, 150)
  await decide(admin, id, 'approve')
  expect((await decide(admin, id, 'pay', payment)).statusCode).toBe(200)
  await report('paid', 'returned')
  expect(await readBalance(buyer)).toMatchObject({ earned: 50, available: -100, paid: 150 })
  expect((await request(buyer, 1)).json()).toMatchObject({
    code: 'balance_insufficient',
    params: { available: 0 },
  })
  const entries = await call(buyer.session, 'GET', '/api/user/entries/?sort=id')
  expect(entries.json<Page<{ amount: number; cause_type: string }>>().items).toMatchObject([
    { amount: 50, cause_type: 'adjustment' },
    { amount: 100, cause_type: 'lead' },
    { amount: -150, cause_type: 'withdrawal' },
    { amount: -100, cause_type: 'lead' },
  ])
  for (const lead of ['second', 'third']) await report(lead, 'sold')
  expect(await readBalance(buyer)).toMatchObject({ earned: 250, available: 100, paid: 150 })
})

test('a request that comes during the payment of a sent withdrawal does not get its money again', async () => {
  const buyer = await createPerson(100)
  const id = await createWithdrawal(buyer, 100)
  await decide(admin, id, 'approve')
  const body = { currency: 'UZS', withdrawal_ids: [id] }
  expect((await call(admin, 'POST', '/api/admin/payment-registries/', body)).statusCode).toBe(201)
  let secondRequest: ReturnType<typeof request> | undefined
  await inTransaction(db, async (trx) => {
    await decideWithdrawal(trx, {
      action: 'pay',
      id,
      userId: buyer.id,
      paidOn: '2026-01-31',
      reference: null,
    })
    // A request between its reading of the ledger and its reading of the withdrawals.
    await sql`lock table withdrawals in access exclusive mode`.execute(trx)
    secondRequest = request(buyer, 100)
    await sleep(500)
  })
  expect((await secondRequest)?.json()).toMatchObject({
    code: 'balance_insufficient',
    params: { available: 0 },
  })
  expect(await readBalance(buyer)).toMatchObject({ available: 0, requested: 0, paid: 100 })
})
