import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import type { FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import type { CourierParcel } from '@karvon/testkit/fakes/measoft.xml.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, type Product, type Session } from '../../test/app.ts'
import { createCourierFixture, type CourierFixture } from '../../test/courier.ts'
import { runCourierSyncs } from '../../test/jobs.ts'
import { createRandom } from '../../test/networks.ts'
import { sendFile } from '../../test/files.ts'
import { createUser, readOwnId } from '../../test/people.ts'
import { failuresBeforePause } from '../domains/syncs/syncs.kind.ts'

let fixture: CourierFixture
let product: Product
let admin: Session
let aziz: Session
let fakeCourier: FakeMeasoft
let account: number

beforeAll(async () => {
  fixture = await createCourierFixture('пар"оль & <1>')
  ;({ product, admin, fakeCourier } = fixture)
  aziz = await createUser(product.app, admin, 'aziz')
  account = await fixture.createAccount({ user_id: await readOwnId(product.app, aziz) })
})

afterAll(() => fixture.close())

async function runNow(id = account): Promise<SyncRun> {
  const answer = await callApi(product.app, admin, 'POST', `/api/admin/courier-accounts/${id}/run/`)
  expect(answer.statusCode).toBe(202)
  await runCourierSyncs(product.deps)
  const url = `/api/admin/sync-runs/?courier_account_id=${id}&per_page=1`
  const [run] = (await callApi(product.app, admin, 'GET', url)).json<{ items: SyncRun[] }>().items
  if (run === undefined) throw new Error('No run')
  return run
}

/** Every status that the courier has, and every event that Karvon has. */
const expected = () =>
  [...fakeCourier.parcels.values()]
    .flatMap(({ orderno, statuses }) =>
      statuses.map(({ code, eventtime }) => `${orderno} ${code} ${eventtime}`),
    )
    .toSorted()

async function readStoredEvents(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', p.orderno, e.raw_code, to_char(e.eventtime, 'YYYY-MM-DD HH24:MI:SS')) as line
    from parcel_events e join parcels p on p.id = e.parcel_id`.execute(product.deps.db)
  return rows.map(({ line }) => line).toSorted()
}

const courierStatuses = [
  ['NEW', 'Новый'],
  ['ACCEPTED', 'Получен складом'],
  ['DELIVERY', 'Выдан курьеру на доставку'],
  ['COURIERDELIVERED', 'Доставлен (предварительно)'],
  ['COMPLETE', 'Доставлен'],
] as const

/** A parcel after a number of steps, one hour each. */
function parcel(orderno: string, steps: number): CourierParcel {
  const statuses = courierStatuses.slice(0, steps).map(([code, title], hour) => ({
    code,
    title,
    eventtime: `2026-11-20 ${String(8 + hour).padStart(2, '0')}:00:00`,
  }))
  return {
    orderno,
    person: 'Ёкуб & Ойгул',
    phone: '+998901234567',
    town: 'Самарқанд',
    address: 'Регистон 1',
    weight: '1.250',
    price: '25000.50',
    statuses,
  }
}

const listOwn = async (query = '') =>
  (await callApi(product.app, aziz, 'GET', `/api/parcel/parcels/all?limit=200&${query}`)).json<{
    items: Record<string, unknown>[]
  }>().items

test('a courier run stores changed parcels with their histories, commits, and does not get them again', async () => {
  for (let i = 0; i < 120; i++) fakeCourier.publish(parcel(`0${i}`, 1 + (i % 5)))
  expect(await runNow()).toMatchObject({ status: 'done', counts: { rows: 120, created: 120 } })
  expect(await readStoredEvents()).toEqual(expected())
  const ownParcel = (await listOwn('orderno=04')).find(({ orderno }) => orderno === '04')
  expect(ownParcel).toMatchObject({
    orderno: '04',
    barcode: 'B04',
    status: { code: 'DELIVERED', title: 'Доставлен', eventtime: '2026-11-20T12:00:00+05:00' },
    date: '2026-11-20',
    package: { weight: 1.25, quantity: 1, service_name: 'Экспресс', delivery_price: 25_000.5 },
    receiver: { person: 'Ёкуб & Ойгул', phone: '+998901234567', town: 'Самарқанд', address: 'Регистон 1' },
  })
  // The services, the changed parcels and the acts.
  const lastRun = await runNow()
  expect(lastRun.counts).toEqual({ requests: 3 })
  const path = `/api/admin/courier-accounts/${account}/run/`
  const request = await callApi(product.app, admin, 'POST', path)
  expect(request.json()).toEqual({ id: account, running: false, previous_run_id: lastRun.id })
})

test('a courier run stores the payment, and an answer without a part of it leaves the stored part', async () => {
  const courier = { code: '17', name: 'Жасур', phone: '+998901112233' }
  const items = [{ name: 'Чайник «Люкс» & Ко', article: 'A-1', quantity: 2, price: '75000.25' }]
  const paidParcel = {
    ...parcel('PAY-1', 3),
    payType: 'CARD',
    collected: '150000.50',
    declaredValue: '160000',
  }
  fakeCourier.publish({ ...paidParcel, courier, items })
  await runNow()
  const storedDetails = {
    cod_amount: 150_000.5,
    pay_type: 'CARD',
    declared_value: 160_000,
    courier,
    items: [{ name: 'Чайник «Люкс» & Ко', article: 'A-1', quantity: 2, weight: 0.3, price: 75_000.25 }],
  }
  expect(await listOwn('orderno=PAY-1')).toMatchObject([storedDetails])
  // The next status comes without most of the elements, and with a pay type and an amount that cannot be read.
  fakeCourier.publish({ ...parcel('PAY-1', 5), payType: 'BARTER', collected: 'много' })
  await runNow()
  expect(await listOwn('orderno=PAY-1')).toMatchObject([{ ...storedDetails, status: { code: 'DELIVERED' } }])
  expect(await listOwn('orderno=PAY-1&courier_code=17&unsettled_days=0')).toHaveLength(1)
  fakeCourier.publish({ ...parcel('PAY-1', 5), payType: 'CASH', collected: '0' })
  await runNow()
  expect(await listOwn('orderno=PAY-1')).toMatchObject([
    { ...storedDetails, pay_type: 'CASH', cod_amount: 0 },
  ])
  expect(await listOwn('orderno=PAY-1&unsettled_days=0')).toEqual([])
})

test("a refused sign-in shows the courier's message", async () => {
  const wrong = await fixture.createAccount({ pass: 'wrong' })
  expect(await runNow(wrong)).toMatchObject({
    status: 'failed',
    error: 'The courier says: Неверный логин или пароль',
  })
  const rows = await callApi(product.app, admin, 'GET', `/api/admin/courier-accounts/${wrong}/`)
  expect(rows.json()).toMatchObject({
    health: { failures: 1, running: false, last_run: { status: 'failed' } },
  })
})

test('an account of the courier with another login has neither the failures nor the pause of the former one', async () => {
  const other = await fixture.createAccount({ pass: 'wrong' })
  for (let runs = 0; runs < failuresBeforePause; runs += 1) await runNow(other)
  const change = async (body: object) =>
    (await callApi(product.app, admin, 'PUT', `/api/admin/courier-accounts/${other}/`, body)).json()
  expect(await change({ name: 'Renamed' })).toMatchObject({
    health: { failures: failuresBeforePause, paused_until: expect.any(String) },
  })
  expect(await change({ login: 'second' })).toMatchObject({ health: { failures: 0, paused_until: null } })
  await callApi(product.app, admin, 'PUT', `/api/admin/courier-accounts/${other}/`, { is_active: false })
})

test('with a faulty courier the histories are complete in the end, and no event is stored twice', async () => {
  const chance = createRandom(5)
  fakeCourier.faults = {
    truncated: 0.1,
    broken: 0.05,
    garbage: 0.05,
    drop: 0.05,
    repeat_rows: 0.3,
    forget_commit: 0.2,
    chance,
  }
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 20; i++) {
      const orderno = `W${Math.floor(chance() * 60)}`
      const steps = fakeCourier.parcels.get(orderno)?.statuses.length ?? 0
      fakeCourier.publish(parcel(orderno, Math.min(steps + 1, courierStatuses.length)))
    }
    await runNow()
  }
  fakeCourier.faults = {}
  await runNow()
  expect(await readStoredEvents()).toEqual(expected())
})

/** Windows-1251 of ASCII and the Russian letters А to я. */
const toWindows1251 = (text: string) =>
  Buffer.from(
    text.replaceAll(/[А-я]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) - 0x350)),
    'latin1',
  )

const orderAnswer = (orderno: string, declaration: string) =>
  `${declaration}<statusreq count="1"><order orderno="${orderno}"><receiver><person>Азиза</person></receiver>` +
  '<status eventtime="2026-11-20 10:00:00" title="">NEW</status></order></statusreq>'

test.each([
  ['of its header', 'CHARSET-1', 'text/xml; charset=windows-1251', ''],
  ['that it does not name', 'CHARSET-3', 'text/xml', ''],
  ['other than that of its header', 'CHARSET-4', 'text/xml; charset=utf-8', ''],
  ['of its XML declaration', 'CHARSET-2', 'text/xml', '<?xml version="1.0" encoding="windows-1251"?>'],
])(
  'an answer of the courier in a charset %s is decoded in it',
  async (_where, orderno, contentType, declaration) => {
    fakeCourier.nextAnswer = { contentType, body: toWindows1251(orderAnswer(orderno, declaration)) }
    expect(await runNow()).toMatchObject({ status: 'done', counts: { created: 1 } })
    expect(await listOwn(`orderno=${orderno}`)).toMatchObject([{ receiver: { person: 'Азиза' } }])
  },
)

test('character references in an answer of the courier are decoded', async () => {
  const body = orderAnswer('REFERENCES-1', '').replace('Азиза', '&#1040;&#x437;&#39; &amp;#1040;')
  fakeCourier.nextAnswer = { contentType: 'text/xml', body: Buffer.from(body) }
  expect(await runNow()).toMatchObject({ status: 'done' })
  expect(await listOwn('orderno=REFERENCES-1')).toMatchObject([{ receiver: { person: "Аз' &#1040;" } }])
})

test('a web page instead of an answer of the courier is a failed run', async () => {
  const body = Buffer.from('<html><body><p>Технические работы</p></body></html>')
  fakeCourier.nextAnswer = { contentType: 'text/html; charset=utf-8', body }
  expect(await runNow()).toMatchObject({ status: 'failed', error: 'The courier answered with a web page.' })
  expect(await runNow()).toMatchObject({ status: 'done' })
})

describe('Parcel outcomes', () => {
  test("the outcome of a parcel changes its lead and the reports, with the reason in the lead's history", async () => {
    const source = (
      await callApi(product.app, admin, 'POST', '/api/admin/cpa-sources/', {
        name: 'N',
        url: 'https://n.example',
      })
    ).json<{ id: number }>().id
    const content = [
      'external_id,created_at,status,payout',
      'L1,2026-11-19,sent,10',
      'L2,2026-11-19,sent,20',
    ].join('\n')
    await sendFile(
      product.app,
      admin,
      '/api/admin/leads/import/',
      { name: 'l.csv', content },
      { source_id: String(source) },
    )
    fakeCourier.publish(parcel('L1', 5))
    const back = parcel('L2', 3)
    back.statuses.push({ code: 'RETURNED', title: 'Возвращен', eventtime: '2026-11-20 18:00:00' })
    fakeCourier.publish(back)
    await runNow()
    const stats = await callApi(product.app, admin, 'GET', `/api/admin/report/stats?source_id=${source}`)
    expect(stats.json()).toMatchObject({
      items: [{ leads: 2, send: 0, sold: 1, returned: 1, profit: 10, buyout_rate: 0.5 }],
    })
    const leads = await callApi(
      product.app,
      admin,
      'GET',
      `/api/admin/leads/?source_id=${source}&external_id=L1`,
    )
    const id = leads.json<{ items: { id: number }[] }>().items[0]?.id
    const lead = await callApi(product.app, admin, 'GET', `/api/admin/leads/${id}/`)
    expect(lead.json()).toMatchObject({
      column: 'sold',
      is_status_overridden: true,
      history: [{ origin: 'parcel', reason: 'The parcel was delivered' }, { origin: 'file' }],
    })
  })
})
