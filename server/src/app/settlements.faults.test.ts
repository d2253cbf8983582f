import type { SettlementDifferenceWithNotes } from '@karvon/contract/settlements/differences.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, type Session } from '../../test/app.ts'
import { listLedgerDifferences } from '../../test/ledger-differences.ts'
import { createUser, readId } from '../../test/people.ts'
import {
  createSettlementFixture,
  dayAgo,
  readPostedSums,
  type SettlementFixture,
} from '../../test/settlements.ts'
import { recheckAct } from '../domains/settlements/settlements.store.ts'

// Each test has its own act and its own order numbers.
let fixture: SettlementFixture

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
afterAll(() => fixture.close())

const line = (orderno: string, rur: string, pricekur = '20000.00') => ({
  code: orderno,
  orderno,
  rur,
  pricekur,
  priceag: '1500.00',
})
const setAct = (code: string, lines: ReturnType<typeof line>[], badAnswer?: string) =>
  fixture.courier.acts?.set(code, {
    code,
    number: `A-${code}`,
    actdate: dayAgo(3),
    lines,
    ...(badAnswer !== undefined && { badAnswer }),
  })
const addParcels = (...orders: string[]) =>
  fixture.addParcels(
    fixture.azizId,
    orders.map((orderno) => ({ orderno, cash: 100_000 })),
  )
const read = async <Row>(path: string, session = fixture.admin) => {
  const answer = await callApi(fixture.product.app, session, 'GET', path)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ items: Row[] }>().items
}
const readDifferences = (search: string) =>
  read<SettlementDifferenceWithNotes>(`/api/admin/settlement-differences/?search=${search}&per_page=100`)
const resolve = (id: number | undefined, note: string) =>
  callApi(fixture.product.app, fixture.admin, 'PUT', `/api/admin/settlement-differences/${id}/`, {
    status: 'resolved',
    note,
  })
const findAct = async (code: string) =>
  (
    await fixture.query<{ id: number; courier_account_id: number }>(
      'select id, courier_account_id from settlement_acts where code = $1',
      [code],
    )
  )[0] ?? { id: 0, courier_account_id: 0 }
const putAccount = async (body: object) => {
  const url = `/api/admin/courier-accounts/${fixture.account}/`
  const answer = await callApi(fixture.product.app, fixture.admin, 'PUT', url, body)
  expect(answer.statusCode, answer.body).toBe(200)
}

async function expectConsistentLedger(): Promise<void> {
  expect(await listLedgerDifferences(fixture.product.deps.pool)).toEqual([])
}

test('an answer that is cut off, empty or no act leaves the stored lines, and the other acts are stored', async () => {
  await addParcels('H-1', 'H-2')
  setAct('h1', [line('H-1', '100000.00'), line('H-2', '100000.00')])
  await fixture.fetchActs()
  const before = await fixture.query('select xmin, * from settlement_lines order by id')
  const answers = [
    '<smadetail count="2"><specialsma><orderno>H-1</orderno>',
    '<smadetail count="2"><specialsma><orderno>H-1</orderno><rur>1.00</rur></specialsma></smadetail>',
    '<smadetail count="0"></smadetail>',
    '<html><body>Технические работы',
    '',
  ]
  for (const [n, answer] of answers.entries()) {
    setAct('h1', [line('H-1', '100000.00'), line('H-2', '100000.00')], answer)
    setAct(`h1-${n}`, [line(`H-other-${n}`, '5.00')])
    const run: SyncRun = await fixture.fetchActs()
    expect([run.status, run.error], answer).toEqual(['partial', expect.stringContaining('A-h1')])
    expect((await findAct(`h1-${n}`)).id, answer).toBeGreaterThan(0)
  }
  const after = await fixture.query(
    `select xmin, * from settlement_lines where orderno in ('H-1', 'H-2') order by id`,
  )
  expect(after).toEqual(before)
  fixture.courier.acts?.clear()
})

test('an act whose amounts are too large for their sum is named, and the others are stored', async () => {
  const huge = Array.from({ length: 1100 }, (_, n) => line(`HUGE-${n}`, '9999999999999.00'))
  setAct('huge', huge)
  setAct('modest', [line('M-1', '5.00')])
  const run = await fixture.fetchActs()
  expect([run.status, run.error]).toEqual(['partial', expect.stringContaining('A-huge')])
  expect((await findAct('huge')).id).toBe(0)
  expect((await findAct('modest')).id).toBeGreaterThan(0)
  fixture.courier.acts?.clear()
})

test('a refund, a fee alone and a line without money are in the ledger with their signs', async () => {
  await addParcels('R-1', 'R-2', 'R-3')
  const before = await readPostedSums(fixture)
  setAct('r1', [line('R-1', '-50000.00'), line('R-2', '0.00'), line('R-3', '21500.00')])
  await fixture.fetchActs()
  const after = await readPostedSums(fixture)
  expect((after['courier'] ?? 0) - (before['courier'] ?? 0)).toBe(-71_500 - 21_500)
  expect((after['person'] ?? 0) - (before['person'] ?? 0)).toBe(71_500 + 21_500)
  const entries = await fixture.query(
    `select e.id from ledger_entries e join settlement_lines l on l.id = e.cause_id
     where e.cause_type = 'settlement_line' and l.orderno = 'R-3'`,
  )
  expect(entries).toEqual([])
  await expectConsistentLedger()
  fixture.courier.acts?.clear()
})

test('the money of an unknown order is assigned to its owner when the parcel comes', async () => {
  const before = await readPostedSums(fixture)
  setAct('u1', [line('U-1', '100000.00')])
  await fixture.fetchActs()
  const readUnassigned = async () =>
    ((await readPostedSums(fixture))['unassigned'] ?? 0) - (before['unassigned'] ?? 0)
  expect(await readUnassigned()).toBe(-78_500)
  await addParcels('U-1')
  await fixture.runJob()
  expect(await readUnassigned()).toBe(0)
  expect((await readPostedSums(fixture))['person']).toBe((before['person'] ?? 0) - 78_500)
  await expectConsistentLedger()
  fixture.courier.acts?.clear()
})

test('a resolved difference is open again when its figures change, and only then', async () => {
  await addParcels('F-1')
  setAct('f1', [line('F-1', '99000.00')])
  await fixture.fetchActs()
  const [difference] = await readDifferences('F-1')
  expect((await resolve(difference?.id, 'Change for the receiver')).statusCode).toBe(200)
  await recheckAct(fixture.product.deps.db, await findAct('f1'))
  expect(await readDifferences('F-1')).toMatchObject([
    { status: 'resolved', reason: 'Change for the receiver' },
  ])
  setAct('f1', [line('F-1', '9000.00')])
  await fixture.fetchActs()
  expect(await readDifferences('F-1')).toMatchObject([
    {
      status: 'open',
      reason: null,
      resolved_by: null,
      resolved_at: null,
      difference: -91_000,
      notes_total: 1,
    },
  ])
  fixture.courier.acts?.clear()
})

test('a difference that is resolved while its act is compared again stays resolved', async () => {
  const orders = Array.from({ length: 20 }, (_, n) => `C-${n}`)
  await addParcels(...orders)
  setAct(
    'c1',
    orders.map((orderno) => line(orderno, '99000.00')),
  )
  await fixture.fetchActs()
  const act = await findAct('c1')
  const differences = await readDifferences('C-')
  expect(differences).toHaveLength(orders.length)
  for (const { id } of differences) {
    const [answer] = await Promise.all([resolve(id, 'Agreed'), recheckAct(fixture.product.deps.db, act)])
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const open = (await readDifferences('C-')).filter(({ status }) => status === 'open')
  expect(open).toEqual([])
  fixture.courier.acts?.clear()
})

test('settled lines keep their owner when the account gets another user, and each sees only own lines', async () => {
  const { app } = fixture.product
  const bek = await createUser(app, fixture.admin, 'bek')
  const bekId = await readId(app, fixture.admin, '/api/admin/users/?username=bek')
  await addParcels('W-1', 'W-2')
  setAct('w1', [line('W-1', '100000.00'), line('W-2', '100000.00')])
  await fixture.fetchActs()
  const ownedBy = async (person: number) =>
    (
      await fixture.query<{ amount: number }>(
        `select coalesce(sum(e.amount), 0) as amount from ledger_entries e join settlement_lines l on l.id = e.cause_id
         where e.cause_type = 'settlement_line' and l.orderno like 'W-%' and e.account_kind = 'person' and e.ref_id = $1`,
        [person],
      )
    )[0]?.amount
  expect(await ownedBy(fixture.azizId)).toBe(-157_000)
  await putAccount({ user_id: bekId })
  await fixture.addParcels(bekId, [
    { orderno: 'W-1', cash: 100_000 },
    { orderno: 'W-3', cash: 100_000 },
  ])
  setAct('w1', [line('W-1', '100000.00'), line('W-2', '90000.00'), line('W-3', '100000.00')])
  await fixture.fetchActs()
  const act = await findAct('w1')
  await recheckAct(fixture.product.deps.db, act)
  expect(await ownedBy(fixture.azizId)).toBe(-147_000)
  expect(await ownedBy(bekId)).toBe(-78_500)
  await expectConsistentLedger()

  const readOwn = async (session: Session, query = '') => {
    const url = `/api/user/settlements/${act.id}/lines/?${query}`
    const answer = await callApi(app, session, 'GET', url)
    const { items, meta } = answer.json<{ items: { orderno: string }[]; meta: { total: number } }>()
    return {
      orders: items.map(({ orderno }) => orderno).toSorted((x, y) => x.localeCompare(y)),
      total: meta.total,
    }
  }
  expect(await readOwn(fixture.aziz)).toEqual({ orders: ['W-1', 'W-2'], total: 2 })
  expect(await readOwn(bek, 'sort=-collected')).toEqual({ orders: ['W-3'], total: 1 })
  expect(await readOwn(bek, 'search=W-2')).toMatchObject({ orders: [] })
  const ownLines = await read<{ due: number; lines: number }>('/api/user/settlements/?search=A-w1', bek)
  expect(ownLines).toMatchObject([{ due: 78_500, lines: 1 }])
  const file = await callApi(app, bek, 'GET', `/api/user/settlements/${act.id}/lines/?format=csv`)
  expect(file.body).toContain('W-3')
  expect(file.body).not.toMatch(/W-1|W-2/)
  await putAccount({ user_id: fixture.azizId })
  fixture.courier.acts?.clear()
})
