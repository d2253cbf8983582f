import type { SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { createSettlementFixture, dayAgo, type SettlementFixture } from '../../../test/settlements.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { recheckAct } from './settlements.store.ts'
import { finishVoid, voidAct as voidActIn } from './settlements.void.ts'

let fixture: SettlementFixture

beforeAll(async () => {
  fixture = await createSettlementFixture()
  const parcels = ['a', 'b'].map((orderno) => ({ orderno, cash: 100_000 }))
  await fixture.addParcels(fixture.azizId, parcels)
})
afterAll(() => fixture.close())

const file = [
  'act_number,act_date,paid_at,orderno,collected,delivery_fee',
  `17,${dayAgo(9)},,a,100000,20000`,
  `18,${dayAgo(8)},${dayAgo(7)},b,99000,20000`,
].join('\n')
const importFile = () =>
  sendFile(
    fixture.product.app,
    fixture.admin,
    '/api/admin/settlements/import/',
    { name: 'acts.csv', content: file },
    { courier_account_id: String(fixture.account) },
  )
const read = async <Row>(path: string) =>
  (await callApi(fixture.product.app, fixture.admin, 'GET', path)).json<{ items: Row[] }>().items
const readActs = () => read<SettlementAct>('/api/admin/settlements/?sort=number')
const voidAct = (id: number, body: object = { reason: 'Another account' }) =>
  callApi(fixture.product.app, fixture.admin, 'POST', `/api/admin/settlements/${id}/void/`, body)
const readLedger = () =>
  fixture.query<{ account_kind: string; amount: number }>(
    `select account_kind, sum(amount) as amount from ledger_entries group by 1 having sum(amount) <> 0 order by 1`,
  )
const readSettled = () =>
  fixture.query<{ orderno: string }>(`select orderno from parcels where settled_at is not null order by 1`)

test('a voided act has no lines and no money, also if it was paid, and the next import restores it', async () => {
  const ledgerWithoutActs = await readLedger()
  await importFile()
  const [, paidAct] = await readActs()
  const ledgerBefore = await readLedger()
  expect(ledgerBefore).not.toEqual(ledgerWithoutActs)
  for (const { id } of await readActs()) expect((await voidAct(id)).statusCode).toBe(200)
  expect(await readActs()).toMatchObject(
    ['17', '18'].map((number) => ({
      number,
      lines: 0,
      collected: 0,
      fees: 0,
      due: 0,
      paid: 0,
      paid_at: null,
      difference: 0,
      differences: 0,
      voided_at: expect.any(String),
    })),
  )
  expect(await readLedger()).toEqual(ledgerWithoutActs)
  expect(await readSettled()).toEqual([])
  expect(await read(`/api/admin/settlements/?is_paid=false`)).toEqual([])
  expect(await read(`/api/admin/audit/?resource=settlement-acts&row_id=${paidAct?.id}`)).toMatchObject([
    { new_values: { voided: true, reason: 'Another account' } },
  ])
  expect((await voidAct(paidAct?.id ?? 0)).json()).toMatchObject({ code: 'act_voided' })
  expect((await importFile()).json()).toMatchObject({ imported: 0, updated: 2 })
  expect(await readLedger()).toEqual(ledgerBefore)
  expect(await readSettled()).toMatchObject([{ orderno: 'a' }, { orderno: 'b' }])
  expect(await readActs()).toMatchObject([{ voided_at: null }, { voided_at: null, due: 79_000 }])
})

test('a job removes the other lines of a large voided act, continues after a stop, and leaves a restored act alone', async () => {
  const { product, admin, account } = fixture
  const { db } = product.deps
  const orders = ['c', 'd', 'e', 'f']
  await fixture.addParcels(
    fixture.azizId,
    orders.map((orderno) => ({ orderno, cash: 100_000 })),
  )
  const rows = orders.map((orderno) => `19,${dayAgo(7)},${dayAgo(6)},${orderno},100000,20000`)
  const content = ['act_number,act_date,paid_at,orderno,collected,delivery_fee', ...rows].join('\n')
  const importAct = () =>
    sendFile(
      product.app,
      admin,
      '/api/admin/settlements/import/',
      { name: 'act.csv', content },
      { courier_account_id: String(account) },
    )
  const ledgerWithoutAct = await readLedger()
  await importAct()
  const ledgerBefore = await readLedger()
  const readActOfTest = async () => (await read<SettlementAct>('/api/admin/settlements/?number=19'))[0]
  const id = (await readActOfTest())?.id ?? 0
  const [admins] = await fixture.query<{ id: number }>(`select id from users where username = 'admin'`)
  const person = { userId: admins?.id ?? 0 } as Identity
  const voidFirstLine = () =>
    inTransaction(db, (trx) => voidActIn(trx, { id, reason: 'Wrong number', person }, 1))
  const act = { id, courier_account_id: account }
  await voidFirstLine()
  expect(await readActOfTest()).toMatchObject({
    lines: 3,
    due: 240_000,
    paid: 0,
    voided_at: expect.any(String),
  })
  expect((await voidAct(id)).json()).toMatchObject({ code: 'act_voided' })
  await finishVoid(db, act, { signal: AbortSignal.abort(), limit: 1 })
  expect(await readActOfTest()).toMatchObject({ lines: 2, due: 160_000 })
  expect(await readSettled()).toMatchObject([{}, {}, { orderno: 'e' }, { orderno: 'f' }])
  await fixture.runJob()
  expect(await readActOfTest()).toMatchObject({ lines: 0, due: 0, difference: 0, differences: 0 })
  expect(await readLedger()).toEqual(ledgerWithoutAct)
  expect(await fixture.query('select id from settlement_acts where checked_at is null')).toEqual([])
  // The job found the act before it was voided.
  await importAct()
  await voidFirstLine()
  await recheckAct(db, act)
  await fixture.runJob()
  expect(await readActOfTest()).toMatchObject({ lines: 0, due: 0 })
  expect(await readLedger()).toEqual(ledgerWithoutAct)
  await importAct()
  await voidFirstLine()
  await importAct()
  await finishVoid(db, act, { signal: new AbortController().signal, limit: 1 })
  expect(await readActOfTest()).toMatchObject({ lines: 4, due: 320_000, paid: 320_000, voided_at: null })
  expect(await readLedger()).toEqual(ledgerBefore)
})

test('an act of the courier, an unknown act, and an act without a reason cannot be voided', async () => {
  await importFile()
  const [act] = await readActs()
  const id = act?.id ?? 0
  expect((await voidAct(id, {})).statusCode).toBe(422)
  expect((await voidAct(id, { reason: ' ' })).statusCode).toBe(422)
  expect((await voidAct(999_999)).statusCode).toBe(404)
  await fixture.query(`update settlement_acts set code = 'c-17' where id = $1`, [id])
  expect((await voidAct(id)).json()).toMatchObject({ code: 'act_of_courier' })
  expect(await readActs()).toMatchObject([{ lines: 1, voided_at: null }, { lines: 1 }, { lines: 4 }])
})
