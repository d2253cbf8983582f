import { randomUUID } from 'node:crypto'
import { maxRegistryPayments } from '@karvon/contract/lib/limits.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { PaymentRegistry } from '@karvon/contract/payouts/payment-registries.ts'
import type { Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { readSheet } from '../../../test/exports.ts'
import { createMoneyFixture, payment, type PaidPerson } from '../../../test/money.ts'

const fixture = await createMoneyFixture()
const {
  product,
  admin,
  otherAdmin,
  call,
  adjust,
  createPerson,
  readBalance,
  request,
  insertApproved,
  decide,
} = fixture
const { pool } = product.deps
afterAll(() => product.close())

type NewRegistry = PaymentRegistry & { remaining: number }
const path = '/api/admin/payment-registries/'
const details = 'UZ20 0001 4000 0011 2233'

const query = async <Row>(text: string, values: unknown[] = []) =>
  (await pool.query<Row & Record<string, unknown>>(text, values)).rows

/** Approved withdrawals of a person, by their ids. */
async function approveWithdrawals(person: PaidPerson, amounts: readonly number[]): Promise<number[]> {
  const ids: number[] = []
  for (const amount of amounts) {
    const { id } = (await request(person, amount, details)).json<Withdrawal>()
    expect((await decide(admin, id, 'approve')).statusCode).toBe(200)
    ids.push(id)
  }
  return ids
}

const create = (body: object = { currency: 'UZS' }, as = admin) => call(as, 'POST', path, body)
async function createRegistry(body?: object): Promise<NewRegistry> {
  const answer = await create(body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<NewRegistry>()
}
const download = async (id: number, format = 'csv') =>
  (await call(admin, 'GET', `${path}${id}/payments/?format=${format}`)).rawPayload
const readWithdrawal = async (id: number) =>
  (await call(admin, 'GET', `/api/admin/withdrawals/?id=${id}`)).json<Page<Withdrawal>>().items[0]
const readRegistry = async (id: number) =>
  (await call(admin, 'GET', `${path}?registry_id=${id}`)).json<Page<PaymentRegistry>>().items[0]

beforeEach(() => query(`update withdrawals set status = 'declined' where status in ('approved', 'sent')`))

describe('A payment registry', () => {
  test('has the approved withdrawals in its currency, which wait for the bank and are in no other registry', async () => {
    const buyer = await createPerson(500)
    const [firstId, secondId] = await approveWithdrawals(buyer, [100, 50.5])
    const [dollarId] = await approveWithdrawals(buyer, [7])
    await query(`update withdrawals set currency = 'USD' where id = $1`, [dollarId])
    await request(buyer, 10)
    const approved = await call(admin, 'GET', `${path}approved/`)
    expect(approved.json()).toEqual({
      items: [
        { currency: 'USD', payments: 1, amount: 7 },
        { currency: 'UZS', payments: 2, amount: 150.5 },
      ],
    })
    const registry = await createRegistry()
    expect(registry).toMatchObject({ currency: 'UZS', payments: 2, amount: 150.5, sent: 2, remaining: 0 })
    const withdrawal = await readWithdrawal(firstId ?? 0)
    expect(withdrawal).toMatchObject({
      status: 'sent',
      registry_id: registry.id,
      sent_at: registry.created_at,
      sent_by: registry.created_by,
      details: '•••• 2233',
    })
    expect((await readWithdrawal(dollarId ?? 0))?.status).toBe('approved')
    expect((await create()).json()).toMatchObject({ code: 'no_withdrawals_to_send' })
    expect((await create({ currency: 'EUR' })).statusCode).toBe(409)
    const found = await call(admin, 'GET', `/api/admin/withdrawals/?registry_id=${registry.id}&sort=id`)
    expect(found.json<Page<Withdrawal>>().items.map(({ id }) => id)).toEqual([firstId, secondId])
    expect(await readBalance(buyer)).toMatchObject({ requested: 160.5 })
    const audit = await call(
      admin,
      'GET',
      `/api/admin/audit/?resource=payment-registries&row_id=${registry.id}`,
    )
    expect(audit.json<Page<unknown>>().items).toMatchObject([
      { action: 'create', new_values: { currency: 'UZS', payments: 2 } },
    ])
  })

  test('has the full payment details, with the same bytes after a new name, a payment and a refusal', async () => {
    const buyer = await createPerson(500)
    const [paidId, refusedId, sentId] = await approveWithdrawals(buyer, [150, 0.07, 20.5])
    const { id } = await createRegistry()
    const [csv, xlsx] = [await download(id), await download(id, 'xlsx')]
    const rows = csv.toString('utf8').replace('\ufeff', '').trimEnd().split('\r\n')
    const [{ name } = { name: '' }] = await query<{ name: string }>('select name from users where id = $1', [
      buyer.id,
    ])
    expect(rows).toEqual([
      'id,name,details,amount,currency',
      `${paidId},${name},${details},150.00,UZS`,
      `${refusedId},${name},${details},0.07,UZS`,
      `${sentId},${name},${details},20.50,UZS`,
    ])
    await query(`update users set name = 'Renamed' where id = $1`, [buyer.id])
    await decide(admin, paidId ?? 0, 'pay', payment)
    await decide(admin, refusedId ?? 0, 'refuse')
    await decide(admin, refusedId ?? 0, 'decline', { reason: 'Wrong card' })
    expect((await download(id)).equals(csv)).toBe(true)
    expect(await readSheet(await download(id, 'xlsx'))).toEqual(await readSheet(xlsx))
    const audit = await call(
      admin,
      'GET',
      `/api/admin/audit/?resource=payment-registries&action=download&row_id=${id}`,
    )
    expect(audit.json<Page<unknown>>().meta.filtered_total).toBe(4)
    expect(audit.body).not.toContain('UZ20')
  })

  test('loses its payment details as soon as the bank paid or refused each payment', async () => {
    const buyer = await createPerson(500)
    const [paidId, refusedId] = await approveWithdrawals(buyer, [10, 20])
    const { id } = await createRegistry()
    const answers = await Promise.all([
      decide(admin, paidId ?? 0, 'pay', payment),
      decide(otherAdmin, refusedId ?? 0, 'refuse'),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await readRegistry(id)).toMatchObject({ payments: 2, amount: 30, sent: 0, paid: 1, refused: 1 })
    const stored = `select details_encrypted is null as is_removed from registry_payments where registry_id = $1`
    expect(await query(stored, [id])).toEqual([{ is_removed: true }, { is_removed: true }])
    const refusal = await call(admin, 'GET', `${path}${id}/payments/?format=csv`)
    expect([refusal.statusCode, refusal.json<{ code: string }>().code]).toEqual([409, 'registry_complete'])
    expect((await call(admin, 'GET', `${path}999999/payments/`)).statusCode).toBe(404)
  })

  test('has the selected withdrawals alone, and is refused if one of them cannot be sent', async () => {
    const buyer = await createPerson(500)
    const [firstId, secondId, thirdId] = await approveWithdrawals(buyer, [10, 20, 30])
    const registry = await createRegistry({ currency: 'UZS', withdrawal_ids: [thirdId, firstId] })
    expect(registry).toMatchObject({ payments: 2, amount: 40, remaining: 1 })
    const refusal = await create({ currency: 'UZS', withdrawal_ids: [secondId, firstId] })
    expect([refusal.statusCode, refusal.json<{ code: string; params: object }>()]).toMatchObject([
      409,
      { code: 'withdrawal_not_sendable', params: { id: firstId, currency: 'UZS' } },
    ])
    expect((await create({ currency: 'USD', withdrawal_ids: [secondId] })).statusCode).toBe(409)
    expect((await create({ currency: 'UZS', withdrawal_ids: [] })).statusCode).toBe(422)
    const tooMany = Array.from({ length: maxRegistryPayments + 1 }, (_, n) => n + 1)
    expect((await create({ currency: 'UZS', withdrawal_ids: tooMany })).statusCode).toBe(422)
    expect((await readWithdrawal(secondId ?? 0))?.status).toBe('approved')
  })

  test('leaves out the withdrawals of a person whose balance became too small', async () => {
    const [poorBuyer, richBuyer] = [await createPerson(100), await createPerson(100)]
    const poorIds = await approveWithdrawals(poorBuyer, [60, 40])
    const richIds = await approveWithdrawals(richBuyer, [50])
    await adjust(poorBuyer.id, -1)
    expect(await createRegistry()).toMatchObject({ payments: 1, amount: 50, remaining: 2 })
    expect((await create({ currency: 'UZS', withdrawal_ids: poorIds })).statusCode).toBe(409)
    expect((await readWithdrawal(richIds[0] ?? 0))?.status).toBe('sent')
  })

  test('has at most 1,000 withdrawals, and the next one has the rest, also behind those that cannot be sent', async () => {
    const [poorBuyer, buyer] = [await createPerson(1), await createPerson(1_000_000)]
    await insertApproved(poorBuyer, maxRegistryPayments + 1, details)
    await insertApproved(buyer, maxRegistryPayments + 5, details)
    expect(await createRegistry()).toMatchObject({ payments: 1000, amount: 1000, remaining: 1006 })
    expect(await createRegistry()).toMatchObject({ payments: 5, amount: 5, remaining: 1001 })
  })
})

describe('A sent withdrawal', () => {
  test('is neither declined nor approved nor cancelled, and is paid also with a balance that became too small', async () => {
    const buyer = await createPerson(100)
    const [id = 0] = await approveWithdrawals(buyer, [100])
    await createRegistry()
    for (const answer of [
      await decide(admin, id, 'approve'),
      await decide(admin, id, 'decline', { reason: 'No' }),
      await call(buyer.session, 'POST', `/api/user/withdrawals/${id}/cancel/`),
    ])
      expect([answer.statusCode, answer.json<{ params: object }>().params]).toEqual([409, { status: 'sent' }])
    await adjust(buyer.id, -40)
    expect((await decide(admin, id, 'pay', payment)).json()).toMatchObject({ status: 'paid', ...payment })
    expect(await readBalance(buyer)).toMatchObject({ available: -40, requested: 0, paid: 100 })
    expect((await decide(admin, id, 'refuse')).statusCode).toBe(409)
  })

  test('becomes approved when the bank refuses it, without another notice, and is sent with the next registry', async () => {
    const buyer = await createPerson(100)
    await product.deps.db
      .insertInto('telegram_links')
      .values({ user_id: buyer.id, chat_id: String(buyer.id), money: true })
      .execute()
    const [id = 0] = await approveWithdrawals(buyer, [100])
    const first = await createRegistry()
    await query('delete from notices where user_id = $1', [buyer.id])
    const refusal = await decide(otherAdmin, id, 'refuse')
    expect(refusal.json()).toMatchObject({
      status: 'approved',
      registry_id: null,
      sent_at: null,
      decided_by: { name: 'second-admin' },
    })
    expect(await query('select message from notices where user_id = $1', [buyer.id])).toEqual([])
    const audit = await call(
      admin,
      'GET',
      `/api/admin/audit/?resource=withdrawals&action=refuse&row_id=${id}`,
    )
    expect(audit.json<Page<unknown>>().items).toMatchObject([
      { old_values: { status: 'sent', registry_id: first.id }, new_values: { status: 'approved' } },
    ])
    const second = await createRegistry()
    expect((await download(second.id)).toString()).toContain(`${id},`)
    expect((await decide(admin, id, 'pay', payment)).statusCode).toBe(200)
    expect([await readRegistry(first.id), await readRegistry(second.id)]).toMatchObject([
      { sent: 0, paid: 0, refused: 1 },
      { sent: 0, paid: 1, refused: 0 },
    ])
  })
})

describe('Simultaneous calls', () => {
  test('create registries that share no withdrawal, while other admins decide and people request', async () => {
    const buyers = await Promise.all([1, 2, 3, 4].map(() => createPerson(1000)))
    for (let round = 0; round < 6; round += 1) {
      const approved = await Promise.all(buyers.map((buyer) => approveWithdrawals(buyer, [1, 2, 3])))
      const ids = approved.flat()
      const [creations, decisions] = await Promise.all([
        Promise.all([admin, otherAdmin, admin, otherAdmin].map((as) => create(undefined, as))),
        Promise.all(
          ids
            .slice(0, 6)
            .map((id, n) => decide(admin, id, n % 2 === 0 ? 'decline' : 'pay', n % 2 === 0 ? {} : payment)),
        ),
        Promise.all(buyers.map((buyer) => request(buyer, 0.5))),
      ])
      const codes = [...creations, ...decisions].map(({ statusCode }) => statusCode)
      expect(
        codes.every((code) => [200, 201, 409].includes(code)),
        String(codes),
      ).toBe(true)
      const shared = await query(
        `select withdrawal_id from registry_payments where withdrawal_id = any($1::bigint[]) group by 1 having count(*) > 1`,
        [ids],
      )
      expect(shared).toEqual([])
      const wrong = await query(
        `select w.id, w.status from withdrawals w left join registry_payments p on p.withdrawal_id = w.id
         where w.id = any($1::bigint[]) and (w.status = 'sent' and p.id is null or w.status = 'declined' and p.id is not null)`,
        [ids],
      )
      expect(wrong).toEqual([])
      await query(
        `update withdrawals set status = 'declined' where status in ('requested', 'approved', 'sent')`,
      )
    }
  })

  test('with one key create one registry, and a repeat answers the same', async () => {
    const buyer = await createPerson(100)
    await approveWithdrawals(buyer, [10, 20])
    const headers = { ...admin.headers, 'idempotency-key': randomUUID() }
    const send = () =>
      product.app.inject({ method: 'POST', url: path, headers, payload: { currency: 'UZS' } })
    const answers = [...(await Promise.all([send(), send(), send()])), await send()]
    expect(new Set(answers.map(({ body }) => body)).size, answers.map(({ body }) => body).join('\n')).toBe(1)
    expect(answers[0]?.json()).toMatchObject({ payments: 2, amount: 30 })
    expect(
      await query(`select 1 from registry_payments where registry_id = $1`, [
        answers[0]?.json<NewRegistry>().id,
      ]),
    ).toHaveLength(2)
  })
})
