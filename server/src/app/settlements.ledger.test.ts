import type { SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { listLedgerDifferences } from '../../test/ledger-differences.ts'
import { createSettlementFixture, dayAgo, type SettlementFixture } from '../../test/settlements.ts'

let fixture: SettlementFixture

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
afterAll(() => fixture.close())

const line = (orderno: string, rur: string) => ({
  code: orderno,
  orderno,
  rur,
  pricekur: '20000.00',
  priceag: '1500.00',
})
const setAct = (lines: ReturnType<typeof line>[], details: { datepay?: string } = {}) =>
  fixture.courier.acts?.set('7', { code: '7', number: 'A-7', actdate: dayAgo(3), lines, ...details })

async function readActs(): Promise<SettlementAct[]> {
  const answer = await callApi(fixture.product.app, fixture.admin, 'GET', '/api/admin/settlements/')
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ items: SettlementAct[] }>().items
}

test('an act is in the ledger to the tiyin: on hold until it is paid, and a correction posts its difference', async () => {
  await fixture.addParcels(fixture.azizId, [
    { orderno: 'a', cash: 100_000 },
    { orderno: 'b', cash: 50_000 },
  ])
  const balances = async () =>
    Object.fromEntries(
      (
        await fixture.query<{ kind: string; amount: number }>(
          `select account_kind as kind, sum(amount) as amount from ledger_entries group by 1`,
        )
      ).map(({ kind, amount }) => [kind, amount]),
    )
  const readOwnBalance = async () =>
    (await callApi(fixture.product.app, fixture.aziz, 'GET', '/api/user/balance')).json<object>()
  setAct([line('a', '100000.00'), line('b', '50000.50'), line('unknown', '9000.00')])
  await fixture.fetchActs()
  const due = (await readActs())[0]?.due ?? 0
  const postedBalances = await balances()
  expect(postedBalances).toEqual({
    courier: due,
    person: expect.any(Number) as number,
    unassigned: expect.any(Number) as number,
  })
  expect((postedBalances['person'] ?? 0) + (postedBalances['unassigned'] ?? 0)).toBe(-due)
  expect(await readOwnBalance()).toMatchObject({ on_hold: -(postedBalances['person'] ?? 0), available: 0 })
  const entries = () => fixture.query<{ n: number }>('select count(*)::integer as n from ledger_entries')
  const before = await entries()
  await fixture.fetchActs()
  expect(await entries()).toEqual(before)
  setAct([line('a', '100000.00'), line('b', '50000.50'), line('unknown', '9000.00')], { datepay: dayAgo(1) })
  await fixture.fetchActs()
  expect(await balances()).toMatchObject({ courier: 0, paid: due, person: postedBalances['person'] })
  expect(await readOwnBalance()).toMatchObject({ on_hold: 0, available: -(postedBalances['person'] ?? 0) })
  setAct([line('a', '100000.00'), line('b', '40000.50')], { datepay: dayAgo(1) })
  await fixture.fetchActs()
  const [correctedAct] = await readActs()
  expect(await balances()).toMatchObject({
    courier: 0,
    paid: correctedAct?.due,
    person: -(correctedAct?.due ?? 0),
    unassigned: 0,
  })
  expect(await listLedgerDifferences(fixture.product.deps.pool)).toEqual([])
})
