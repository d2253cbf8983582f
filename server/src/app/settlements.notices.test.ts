import type { Notice } from '@karvon/contract/notices/notices.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { createSettlementFixture, dayAgo, type SettlementFixture } from '../../test/settlements.ts'
import { noticesJobs } from '../domains/notices/notices.jobs.ts'
import { missingMoneyNoticesJob } from '../domains/settlements/settlements.notices.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { Db } from '../platform/database/pool.ts'
import { createNoticeReaders } from './notices.ts'

let telegram: FakeTelegram
let fixture: SettlementFixture

beforeAll(async () => {
  telegram = await startTelegram('1:token')
  fixture = await createSettlementFixture({
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
})
beforeEach(async () => {
  await fixture.query(`insert into telegram_links (user_id, chat_id, linked_at) values ($1, '501', now())`, [
    fixture.azizId,
  ])
})
afterEach(async () => {
  telegram.messages.splice(0)
  fixture.courier.acts = new Map()
  for (const table of ['settlement_differences', 'settlement_lines', 'settlement_acts', 'parcels'])
    await fixture.query(`delete from ${table}`)
  await fixture.query('delete from notices')
  await fixture.query('delete from telegram_links')
})
afterAll(async () => {
  await fixture.close()
  await telegram.close()
})

const signal = () => new AbortController().signal
/** Runs the job that sends notices once. Answers the texts that the chat got. */
async function send(): Promise<string[]> {
  const jobs = noticesJobs(fixture.product.deps, createNoticeReaders(fixture.product.deps), 0)
  await jobs.find(({ name }) => name === 'notices')?.run(signal())
  return telegram.messages.splice(0).map(({ text }) => text)
}

const addAct = (code: string, days: number, lines: Record<string, string>, datepay = '') =>
  fixture.courier.acts?.set(code, {
    code,
    number: `A-${code}`,
    actdate: dayAgo(days),
    datepay,
    lines: Object.entries(lines).map(([orderno, rur]) => ({
      code: orderno,
      orderno,
      rur,
      pricekur: '20000.00',
      priceag: '1500.50',
    })),
  })
const format = (day: string) => day.split('-').toReversed().join('.')

/** Runs the job of missing money at an hour of the installation's time zone, `days` later. */
const runAt = (hour: number, days = 0) =>
  inTransaction(fixture.product.deps.db, async (trx) => {
    await moveClock(trx, hour)
    // A day later, the notices are a day old.
    if (days > 0)
      await sql`update notices set once = once || '-old', created_at = created_at - make_interval(days => ${days})`.execute(
        trx,
      )
    await missingMoneyNoticesJob({ ...fixture.product.deps, db: trx }).run(signal())
  })
async function moveClock(trx: Db, hour: number): Promise<void> {
  const { rows } = await sql<{ hour: number }>`
    select extract(hour from now() at time zone 'UTC')::integer as hour`.execute(trx)
  const ahead = ((hour - (rows[0]?.hour ?? 0) + 36) % 24) - 12
  await sql.raw(`set local time zone interval '${ahead} hours' hour to minute`).execute(trx)
}

test('the owner of the parcels gets one notice of a new act, and none when the act is paid or corrected', async () => {
  await fixture.addParcels(fixture.azizId, [
    { orderno: 'a', cash: 1_500_000 },
    { orderno: 'b', cash: 50_000 },
  ])
  addAct('7', 3, { a: '1500000.00', b: '50000.00', foreign: '900000.00' })
  await fixture.fetchActs()
  expect(await send()).toEqual([
    `Пришёл акт A-7 от ${format(dayAgo(3))}. Посылок: 2, к выплате: 1\u00A0506\u00A0999 UZS`,
  ])
  addAct('7', 3, { a: '1500000.00', b: '49000.00' }, dayAgo(1))
  await fixture.fetchActs()
  await fixture.fetchActs()
  expect(await send()).toEqual([])
  addAct('8', 0, { b: '0.00' })
  await fixture.fetchActs()
  expect(await send()).toEqual([
    `Пришёл акт A-8 от ${format(dayAgo(0))}. Посылок: 1, к выплате: -21\u00A0500,50 UZS`,
  ])
})

test('no notice is sent about an act of another person, about an act older than a month, or to a person who turned it off', async () => {
  await fixture.addParcels(fixture.azizId, [{ orderno: 'a', cash: 100_000 }])
  addAct('1', 40, { a: '100000.00' })
  addAct('2', 3, { foreign: '900000.00' })
  await fixture.fetchActs()
  await callApi(fixture.product.app, fixture.aziz, 'PUT', '/parcel/auth/telegram/', { money: false })
  addAct('3', 2, { a: '100000.00' })
  await fixture.fetchActs()
  expect(await send()).toEqual([])
})

test('a person with parcels that no act settled gets one notice a day, in the daytime, and an admin sees it', async () => {
  await fixture.addParcels(fixture.azizId, [
    { orderno: 'a', cash: 100_000 },
    { orderno: 'b', cash: 2_000_000 },
    { orderno: 'c', cash: 50_000 },
  ])
  addAct('1', 15, { a: '100000.00' })
  await fixture.fetchActs()
  await send()
  await fixture.runJob()
  await runAt(8)
  await runAt(22)
  expect(await send()).toEqual([])
  await Promise.all([runAt(9), runAt(9), runAt(9)])
  await runAt(12)
  expect(await send()).toEqual([
    'Доставлено и не оплачено курьером дольше 14 дн. Посылок: 2, сумма: 2\u00A0050\u00A0000 UZS',
  ])
  const url = '/api/admin/notices/?kind=money&search=2%C2%A0050'
  const { items } = (await callApi(fixture.product.app, fixture.admin, 'GET', url)).json<{
    items: Notice[]
  }>()
  expect(items).toMatchObject([{ kind: 'money', status: 'sent', user: { id: fixture.azizId } }])
})

/** Settles the first of two parcels, finds that the other one is missing, and queues the notice about it. */
async function findMissingParcel(): Promise<void> {
  await fixture.addParcels(fixture.azizId, [
    { orderno: 'a', cash: 100_000 },
    { orderno: 'b', cash: 200_000 },
  ])
  addAct('1', 15, { a: '100000.00' })
  await fixture.fetchActs()
  await send()
  await fixture.runJob()
  await runAt(9)
}

test('missing money is reported again on a later day only if more parcels are missing, by the settlement days of the account', async () => {
  await findMissingParcel()
  await fixture.query(`update settlement_differences set created_at = created_at - interval '1 day'`)
  await runAt(9, 1)
  expect(await send()).toHaveLength(1)
  await fixture.query('update courier_accounts set settlement_days = 10')
  await fixture.addParcels(fixture.azizId, [{ orderno: 'c', cash: 300_000 }])
  await fixture.runJob()
  await runAt(9, 1)
  expect(await send()).toEqual([
    'Доставлено и не оплачено курьером дольше 10 дн. Посылок: 2, сумма: 500\u00A0000 UZS',
  ])
  await fixture.query('update courier_accounts set settlement_days = null')
})

test('a parcel whose act was voided is missing again, and its owner gets another notice on a later day', async () => {
  await findMissingParcel()
  expect(await send()).toHaveLength(1)
  await fixture.query(`update settlement_differences set created_at = created_at - interval '1 day'`)
  addAct('2', 14, { b: '200000.00' })
  await fixture.fetchActs()
  fixture.courier.acts?.delete('2')
  await fixture.fetchActs()
  const [act] = await fixture.query<{ id: number }>(`select id from settlement_acts where code = '2'`)
  const url = `/api/admin/settlements/${act?.id}/void/`
  await callApi(fixture.product.app, fixture.admin, 'POST', url, { reason: 'The courier deleted it' })
  await send()
  await fixture.runJob()
  await runAt(9, 1)
  expect(await send()).toEqual([
    'Доставлено и не оплачено курьером дольше 14 дн. Посылок: 1, сумма: 200\u00A0000 UZS',
  ])
})
