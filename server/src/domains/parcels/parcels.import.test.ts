import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Parcel, ParcelWithHistory } from '@karvon/contract/parcels/parcels.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { now } from '../../../test/moment.ts'
import { buildParcelEvent } from '../../../test/parcel.ts'
import { createUser, readOwnId } from '../../../test/people.ts'
import { ingestParcels } from './parcels.ingest.ts'
import { storeParcels } from './parcels.store.ts'

let product: Product
let admin: Session
let aziz: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
})

afterAll(() => product.close())

async function send(lines: readonly string[], as = admin) {
  const file = { name: 'parcels.csv', content: lines.join('\n') }
  return sendFile(product.app, as, '/api/admin/parcels/import/', file)
}

const importLines = async (...lines: string[]) => (await send(lines)).json<ImportAnswer>()

async function parcel(orderno: string): Promise<ParcelWithHistory> {
  const list = await callApi(
    product.app,
    admin,
    'GET',
    `/api/parcel/parcels/all?orderno=${encodeURIComponent(orderno)}`,
  )
  const [row] = list.json<Page<Parcel>>().items
  return (await callApi(product.app, admin, 'GET', `/api/parcel/parcels/${row?.id}`)).json()
}

const history = ({ history }: ParcelWithHistory) => history.map(({ raw_code, code }) => `${raw_code}:${code}`)

describe('Parcel events', () => {
  const head = 'orderno,status,event_time'
  const events = [
    'E1,NEW,2026-11-20 09:00',
    'E1,ACCEPTED,2026-11-20 12:00',
    'E1,DELIVERY,2026-11-21 09:00',
    'E1,COMPLETE,2026-11-21 15:00',
  ]
  const settledParcel = {
    status: { code: 'DELIVERED', title: 'Доставлен', eventtime: '2026-11-21T15:00:00+05:00' },
    date: '2026-11-20',
  }

  test('events in any order and any number give the same parcel', async () => {
    expect(await importLines(head, ...events.toReversed())).toEqual({
      imported: 1,
      updated: 3,
      unchanged: 0,
      skipped: 0,
      errors: [],
    })
    expect(await parcel('E1')).toMatchObject(settledParcel)
    expect(await importLines(head, ...events, ...events)).toMatchObject({
      imported: 0,
      updated: 0,
      unchanged: 8,
    })
    const foundParcel = await parcel('E1')
    expect(foundParcel).toMatchObject(settledParcel)
    expect(history(foundParcel)).toEqual([
      'COMPLETE:DELIVERED',
      'DELIVERY:IN_TRANSIT',
      'ACCEPTED:PROCESSING',
      'NEW:PENDING',
    ])
  })

  test('events that arrive late, one by one, do not set a parcel back', async () => {
    for (const event of [events[3], events[1], events[0], events[2]])
      expect(await importLines(head, String(event).replace('E1', 'E2'))).toMatchObject({ skipped: 0 })
    expect(await parcel('E2')).toMatchObject({ status: settledParcel.status })
    expect(history(await parcel('E2'))).toHaveLength(4)
  })

  test('an order file that is uploaded after the events of the courier hides none of them, in either order', async () => {
    const { db } = product.deps
    const owner_id = await readOwnId(product.app, aziz)
    const upload = (orderno: string) =>
      storeParcels(
        db,
        [buildParcelEvent(orderno, 'NEW', { owner_id, eventtime: '2026-11-22T10:00:00Z', town: 'Nukus' })],
        { isFromOrderFile: true },
      )
    const courierEvents = (orderno: string) => [
      buildParcelEvent(orderno, 'ACCEPTED', { owner_id, eventtime: '2026-11-20T10:00:00Z', town: 'Termiz' }),
      buildParcelEvent(orderno, 'COMPLETE', { owner_id, eventtime: '2026-11-21T10:00:00Z', town: 'Termiz' }),
    ]
    await upload('E5')
    expect(await ingestParcels(db, courierEvents('E5'))).toMatchObject({ updated: 2 })
    await ingestParcels(db, courierEvents('E6'))
    await upload('E6')
    for (const orderno of ['E5', 'E6']) {
      expect(await parcel(orderno)).toMatchObject({
        status: { code: 'DELIVERED', eventtime: '2026-11-21T15:00:00+05:00' },
        receiver: { town: 'Termiz' },
      })
      expect(await ingestParcels(db, courierEvents(orderno))).toMatchObject({ unchanged: 2 })
    }
    expect(history(await parcel('E5'))).toEqual(['COMPLETE:DELIVERED', 'ACCEPTED:PROCESSING', 'NEW:PENDING'])
    // The courier's own event of a new order, in a later answer, is not a second one.
    const first = buildParcelEvent('E5', 'NEW', { owner_id, eventtime: '2026-11-19T10:00:00Z' })
    for (const expected of [{ updated: 1 }, { unchanged: 1 }])
      expect(await ingestParcels(db, [first])).toMatchObject(expected)
    expect(history(await parcel('E5'))).toHaveLength(3)
  })

  test('of two events at one time the further one is the status and the first of the history, in either order', async () => {
    const at = '2026-11-21 10:00'
    await importLines(head, `E3,COMPLETE,${at}`)
    await importLines(head, `E3,DEPARTURE,${at}`)
    await importLines(head, `E4,DEPARTURE,${at}`)
    await importLines(head, `E4,COMPLETE,${at}`)
    for (const orderno of ['E3', 'E4']) {
      const foundParcel = await parcel(orderno)
      expect(foundParcel.status.code).toBe('DELIVERED')
      expect(history(foundParcel)).toEqual(['COMPLETE:DELIVERED', 'DEPARTURE:IN_TRANSIT'])
    }
  })

  test.each([
    ['complete', 'COMPLETE', 'DELIVERED', 'Доставлен'],
    ['Выдан курьеру на доставку', 'DELIVERY', 'IN_TRANSIT', 'Выдан курьеру на доставку'],
    ['IN_TRANSIT', 'IN_TRANSIT', 'IN_TRANSIT', 'В пути'],
    ['в обработке', 'PROCESSING', 'PROCESSING', 'В обработке'],
    ['returned', 'RETURNED', 'RETURNED', 'Возвращен'],
    ['', 'NEW', 'PENDING', 'Новый'],
  ])('the imported status %o is %s', async (word, raw, code, title) => {
    const orderno = `W-${raw}-${word.length}`
    expect(await importLines(head, `${orderno},${word},2026-11-20 10:00`)).toMatchObject({ imported: 1 })
    const foundParcel = await parcel(orderno)
    expect(foundParcel.status).toMatchObject({ code, title })
    expect(foundParcel.history).toMatchObject([{ raw_code: raw, code, title }])
  })
})

describe('Imported rows', () => {
  test('an import skips bad rows of parcels and reports each bad cell', async () => {
    const answer = await importLines(
      'orderno,date,weight,quantity,delivery_price,status,owner,event_time',
      'R1,2026-11-20,1.25,2.0,38 000,NEW,aziz,',
      ',2026-11-20,,,,NEW,,',
      'R2,2026-11-20,1.2345,,,NEW,,',
      'R3,2026-11-20,,1.5,,NEW,,',
      'R4,2026-11-20,,,-1,NEW,,',
      'R5,2026-11-20,,,,FLYING,,',
      'R6,2026-11-20,,,,NEW,nobody,',
      'R7,,,,,NEW,,',
      'R8,2026-11-20,,,,NEW,,soon',
      'R9,2026-11-20,,,,NEW,,2200-01-01 10:00',
      'R10,2026-11-20,,"1,000",,NEW,,',
    )
    expect(answer).toMatchObject({ imported: 1, skipped: 10 })
    expect(answer.errors.map(({ row, field, message }) => `${row} ${field}: ${message}`)).toEqual([
      '2 orderno: orderno is required',
      '3 weight: weight has more than 3 decimals',
      '4 quantity: quantity must be a whole number',
      '5 delivery_price: delivery_price must not be negative',
      '6 status: status is not a known status',
      '7 owner: owner is not a username',
      '8 event_time: event_time is required where there is no date',
      '9 event_time: event_time is not a time such as 2026-11-21T09:42:00+05:00',
      '10 event_time: event_time is in the future',
      '11 quantity: quantity must be a whole number',
    ])
    expect(await parcel('R1')).toMatchObject({
      package: { weight: 1.25, quantity: 2, delivery_price: 38_000 },
      owner: { name: 'aziz' },
      status: { eventtime: '2026-11-20T00:00:00+05:00' },
    })
  })

  test('an import refuses a row without a time whose date is in the future, because newer events would be hidden', async () => {
    const planned = new Date(now() + 10 * 86_400_000).toISOString().slice(0, 10)
    const answer = await importLines(
      'orderno,status,date,event_time',
      `F1,NEW,${planned},`,
      `F2,NEW,${planned},2026-11-20`,
    )
    expect(answer).toMatchObject({
      imported: 1,
      skipped: 1,
      errors: [{ row: 1, field: 'date', code: 'time_in_future' }],
    })
    expect((await parcel('F2')).date).toBe(planned)
  })

  test('an import finds the owner by a username in any letter case, Unicode form and with any apostrophe, like the sign-in', async () => {
    await createUser(product.app, admin, 'Зульфий')
    const spellings = ['Зульфий', 'ЗУЛЬФИЙ', 'зульфий'.normalize('NFD')]
    for (const [n, owner] of spellings.entries()) {
      expect(await importLines('orderno,date,owner', `U${n},2026-11-20,${owner}`)).toMatchObject({
        imported: 1,
      })
      expect(await parcel(`U${n}`)).toMatchObject({ owner: { name: 'Зульфий' } })
    }
    await createUser(product.app, admin, "o'ktam")
    await importLines('orderno,date,owner', 'U9,2026-11-20,O’KTAM')
    expect(await parcel('U9')).toMatchObject({ owner: { name: "o'ktam" } })
  })

  test('an import changes only the fields that its rows have', async () => {
    await importLines('orderno,person,town,event_time', 'F1,Азиза,Ташкент,2026-11-20 10:00')
    expect(
      await importLines('orderno,phone,status,event_time', 'F1,+998,DELIVERY,2026-11-21 10:00'),
    ).toMatchObject({ updated: 1 })
    expect(await parcel('F1')).toMatchObject({
      receiver: { person: 'Азиза', town: 'Ташкент', phone: '+998' },
    })
    // The details of an older event fill missing values and do not replace others.
    await importLines('orderno,town,address,event_time', 'F1,Бухара,Навои 5,2026-11-19 10:00')
    expect(await parcel('F1')).toMatchObject({ receiver: { town: 'Ташкент', address: 'Навои 5' } })
  })

  test('parcels of different owners with one order number are kept apart, and Russian headings are read', async () => {
    await createUser(product.app, admin, 'malika')
    await importLines(
      'Номер заказа;Дата;Владелец',
      'S1;20.11.2026;aziz',
      'S1;20.11.2026;MALIKA',
      'S1;20.11.2026;',
    )
    const list = await callApi(product.app, admin, 'GET', '/api/parcel/parcels/all?orderno=S1')
    const owners = list.json<Page<Parcel>>().items.map(({ owner }) => owner?.name ?? null)
    expect(new Set(owners)).toEqual(new Set(['aziz', 'malika', null]))
    expect(owners).toHaveLength(3)
  })
})

test('four simultaneous imports of the same parcels lose no event', async () => {
  const codes = ['NEW', 'ACCEPTED', 'DEPARTURE', 'DELIVERY', 'COMPLETE']
  const events = Array.from(
    { length: 1000 },
    (_, i) => `Q4-${i % 200},${codes[Math.floor(i / 200)]},2026-11-${10 + Math.floor(i / 200)} 10:00`,
  )
  const orders = [
    events,
    events.toReversed(),
    [...events.slice(500), ...events.slice(0, 500)],
    events.toSorted(),
  ]
  const answers = await Promise.all(orders.map((lines) => importLines('orderno,status,event_time', ...lines)))
  expect(answers.reduce((sum, { imported }) => sum + imported, 0)).toBe(200)
  expect(answers.reduce((sum, { imported, updated }) => sum + imported + updated, 0)).toBe(1000)
  const list = await callApi(
    product.app,
    admin,
    'GET',
    '/api/parcel/parcels/all?orderno=Q4-&status=DELIVERED',
  )
  expect(list.json<Page<Parcel>>().meta.filtered_total).toBe(200)
})

describe('Rights', () => {
  test('only admins may import parcels, and a file without orderno is refused', async () => {
    expect((await send(['orderno', 'X'], aziz)).statusCode).toBe(403)
    expect((await send(['no', 'X'])).json()).toMatchObject({
      code: 'invalid',
      detail: 'The heading row lacks "orderno".',
    })
  })

  test('an owner sees only their own parcels, with any filter', async () => {
    const answer = await callApi(product.app, aziz, 'GET', '/api/parcel/parcels/all?per_page=200')
    const { items, meta } = answer.json<Page<Parcel>>()
    expect(items.every(({ owner }) => owner?.name === 'aziz')).toBe(true)
    expect(meta.total).toBe(items.length)
    const otherAnswer = await callApi(product.app, aziz, 'GET', '/api/parcel/parcels/all?owner_id=1')
    expect(otherAnswer.json<Page<Parcel>>().items).toEqual([])
    expect((await callApi(product.app, null, 'GET', '/api/parcel/parcels/all')).statusCode).toBe(401)
  })
})

test.each(['status=LOST', 'date_from=21.11.2026', 'sort=owner', 'per_page=0', 'page=99999999'])(
  'a list query with %s is answered with 422',
  async (query) => {
    expect((await callApi(product.app, admin, 'GET', `/api/parcel/parcels/all?${query}`)).statusCode).toBe(
      422,
    )
  },
)
