import { randomInt } from 'node:crypto'
import type { Page } from '@karvon/contract/lib/page.ts'
import { afterAll, expect, test } from 'vitest'
import { createMoneyFixture, payment, type PaidPerson } from '../../../test/money.ts'

const { product, call, createPerson, adjust, readBalance, createWithdrawal, decide, admin } =
  await createMoneyFixture()
afterAll(() => product.close())

/** Posts what a person earns by a lead that is sold, or takes it back with 0. */
const earn = (person: PaidPerson, lead: number, { amount, day }: { amount: number; day: string }) =>
  product.deps.pool.query(
    `select post_ledger_entries('lead', array[$1::bigint], case when $2::numeric = 0 then '{}' else array[
       row($1, 'network', 1, 'UZS', $2, null)::ledger_target, row($1, 'person', $3, 'UZS', -$2, ${day})::ledger_target
     ] end)`,
    [lead, amount, person.id],
  )

const tomorrow = 'current_date + 1'
const today = 'current_date'
const unknownTime = `'infinity'`

/** The hundredths that all rows of a list sum to. */
async function sumRows({ session }: PaidPerson, url: string): Promise<number> {
  const { items, meta } = (await call(session, 'GET', `${url}&currency=UZS&per_page=200`)).json<
    Page<{ amount: number }>
  >()
  expect(meta.filtered_total).toBe(items.length)
  return items.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
}

test('the entries behind each figure of a balance sum to the figure after each change', async () => {
  const [buyer, otherBuyer] = [await createPerson(1000.1), await createPerson(5000)]
  await createWithdrawal(otherBuyer, 100)
  const checkFigures = async () => {
    const balance = await readBalance(buyer)
    const hundredths = (figure: keyof typeof balance) => Math.round(Number(balance[figure]) * 100)
    const requestedSum = await sumRows(buyer, '/api/user/withdrawals/?status=open')
    expect({
      earned: await sumRows(buyer, '/api/user/entries/?part=earned'),
      on_hold: await sumRows(buyer, '/api/user/entries/?part=on_hold'),
      available: (await sumRows(buyer, '/api/user/entries/?part=available')) - requestedSum,
      requested: requestedSum,
      paid: await sumRows(buyer, '/api/user/withdrawals/?status=paid'),
    }).toEqual({
      earned: hundredths('earned'),
      on_hold: hundredths('on_hold'),
      available: hundredths('available'),
      requested: hundredths('requested'),
      paid: hundredths('paid'),
    })
    return balance
  }
  await checkFigures()
  const lead = randomInt(1_000_000, 2_000_000)
  await earn(buyer, lead, { amount: 300.33, day: tomorrow })
  await earn(buyer, lead + 1, { amount: 40.07, day: unknownTime })
  await earn(buyer, lead + 2, { amount: 90.9, day: today })
  await checkFigures()
  const paidId = await createWithdrawal(buyer, 500.5)
  await createWithdrawal(buyer, 20.01)
  const declinedId = await createWithdrawal(buyer, 30)
  await checkFigures()
  await decide(admin, paidId, 'approve')
  await checkFigures()
  await decide(admin, paidId, 'pay', payment)
  await decide(admin, declinedId, 'decline', { reason: 'Wrong card' })
  await checkFigures()
  // A lead is returned, another becomes available, and a correction makes what is available negative.
  await earn(buyer, lead, { amount: 0, day: today })
  await earn(buyer, lead + 1, { amount: 40.07, day: today })
  await adjust(buyer.id, -700)
  expect(await checkFigures()).toMatchObject({
    earned: 431.07,
    on_hold: 0,
    available: -89.44,
    requested: 20.01,
    paid: 500.5,
  })
})
