import type { Page } from '@karvon/contract/lib/page.ts'
import type { Parcel, ParcelWithHistory } from '@karvon/contract/parcels/parcels.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import {
  listEvents,
  buildParcelsCsv,
  readOrders,
  type RealEvent,
  type RealOrder,
} from '../../../test/olist.ts'
import { createUser } from '../../../test/people.ts'

const orders = readOrders()
/** The first digit of the id selects the owner: half belong to aziz, a quarter to malika, and the rest to nobody. */
const ownerOf = ({ id }: RealOrder) => (id < '8' ? 'aziz' : id < 'c' ? 'malika' : '')
const of = (owner: string) => orders.filter((order) => ownerOf(order) === owner)

let product: Product
let admin: Session
let aziz: Session
let malika: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
  malika = await createUser(product.app, admin, 'malika')
})

afterAll(() => product.close())

type Parcels = Page<Parcel> & { meta: { status_counts: Record<string, number> } }

async function get<T = Parcels>(as: Session, url: string): Promise<T> {
  const answer = await callApi(product.app, as, 'GET', url)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<T>()
}

/** Reads all parcels that a person sees, page by page. */
async function listAll(as: Session, query = ''): Promise<Parcel[]> {
  const parcels: Parcel[] = []
  for (let skip = 0; ; skip += 200) {
    const { items, meta } = await get(as, `/api/parcel/parcels/all?skip=${skip}&limit=200&${query}`)
    parcels.push(...items)
    if (!meta.has_next) return parcels
  }
}

const codes: Record<RealEvent['status'], string> = {
  NEW: 'PENDING',
  CONFIRM: 'PROCESSING',
  DEPARTURE: 'IN_TRANSIT',
  COMPLETE: 'DELIVERED',
  CANCELED: 'RETURNED',
}
const rank = Object.keys(codes)

/** The newest event; of two events at the same time the one with the further state. */
function stateOf(order: RealOrder): string {
  const [newest] = listEvents(order).toSorted(
    (a, b) =>
      (a.time < b.time ? 1 : a.time > b.time ? -1 : 0) || rank.indexOf(b.status) - rank.indexOf(a.status),
  )
  return newest === undefined ? '' : codes[newest.status]
}

const countedStates = (selection: readonly RealOrder[]) =>
  Object.fromEntries(
    Object.values(codes).map((code) => [code, selection.filter((order) => stateOf(order) === code).length]),
  )

const cents = (amount: number | null) => Math.round((amount ?? 0) * 100)

describe('Real orders as parcels', () => {
  const lines = buildParcelsCsv(orders, ownerOf)

  test('a second import of the real parcels changes nothing', async () => {
    const rows = lines.split('\n').length - 1
    const send = async (content: string) =>
      (
        await sendFile(product.app, admin, '/api/admin/parcels/import/', { name: 'olist.csv', content })
      ).json()
    const noCounts = { imported: 0, updated: 0, unchanged: 0, skipped: 0, errors: [] }
    expect(await send(lines)).toEqual({ ...noCounts, imported: orders.length, updated: rows - orders.length })
    expect(await send(lines)).toEqual({ ...noCounts, unchanged: rows })
    // The same lines in another order change nothing either.
    const [head = '', ...body] = lines.split('\n')
    expect(await send([head, ...body.toReversed()].join('\n'))).toEqual({ ...noCounts, unchanged: rows })
  })

  test.each([
    ['an admin', () => admin, orders],
    ['aziz', () => aziz, of('aziz')],
    ['malika', () => malika, of('malika')],
  ] as const)(
    '%s sees exactly the expected parcels, by status and to the cent',
    async (_who, as, selectedOrders) => {
      const { meta } = await get(as(), '/api/parcel/parcels/all')
      expect(meta).toMatchObject({
        total: selectedOrders.length,
        filtered_total: selectedOrders.length,
        status_counts: countedStates(selectedOrders),
      })
      const foundParcels = await listAll(as(), 'sort=orderno')
      expect(foundParcels.map(({ orderno }) => orderno).toSorted()).toEqual(
        selectedOrders.map(({ id }) => id).toSorted(),
      )
      const prices = foundParcels.map((parcel) => cents(parcel.package.delivery_price))
      expect(prices.reduce((a, b) => a + b, 0)).toBe(
        selectedOrders.reduce((sum, order) => sum + order.freight, 0),
      )
      const byId = new Map(selectedOrders.map((order) => [order.id, order]))
      for (const parcel of foundParcels) {
        const order = byId.get(parcel.orderno)
        expect(parcel).toMatchObject({
          date: order?.purchased.slice(0, 10),
          receiver: { town: order?.town },
          package: { weight: (order?.grams ?? 0) / 1000 },
          status: { code: order && stateOf(order) },
        })
      }
    },
  )

  test('the filters of parcels equal an independent count', async () => {
    const days = orders.map(({ purchased }) => purchased.slice(0, 10)).toSorted()
    const [from = '', to = ''] = [days[Math.floor(days.length / 4)], days[Math.floor(days.length / 2)]]
    const selectedOrders = orders.filter(
      ({ purchased }) => purchased.slice(0, 10) >= from && purchased.slice(0, 10) <= to,
    )
    const { meta } = await get(
      admin,
      `/api/parcel/parcels/all?date_from=${from}&date_to=${to}&status=DELIVERED`,
    )
    const states = countedStates(selectedOrders)
    expect(meta).toMatchObject({
      total: orders.length,
      filtered_total: states.DELIVERED,
      status_counts: states,
    })
    const part = orders[0]?.id.slice(4, 9) ?? ''
    const foundParcels = await listAll(admin, `orderno=${part.toUpperCase()}`)
    expect(foundParcels.map(({ orderno }) => orderno).toSorted()).toEqual(
      orders.flatMap(({ id }) => (id.includes(part) ? [id] : [])).toSorted(),
    )
    const town = orders[0]?.town ?? ''
    const inTown = await get(admin, `/api/parcel/parcels/search?search=${encodeURIComponent(town)}`)
    expect(inTown.meta.filtered_total).toBe(orders.filter((order) => order.town.includes(town)).length)
  })

  test('a parcel has its whole history, and only its owner and admins see it', async () => {
    const [order] = of('aziz').filter(({ delivered }) => delivered !== '')
    const [row] = (await get(aziz, `/api/parcel/parcels/search?search=${order?.id}`)).items
    const parcel = await get<ParcelWithHistory>(aziz, `/api/parcel/parcels/${row?.id}`)
    const expected = (order === undefined ? [] : listEvents(order)).map(
      ({ status, time }) => `${status} ${time.replace(' ', 'T')}+05:00`,
    )
    const history = parcel.history.map(({ raw_code, eventtime }) => `${raw_code} ${eventtime}`)
    expect(new Set(history)).toEqual(new Set(expected))
    expect(history).toHaveLength(expected.length)
    expect(parcel.history[0]?.eventtime).toBe(parcel.status.eventtime)
    expect((await callApi(product.app, malika, 'GET', `/api/parcel/parcels/${row?.id}`)).statusCode).toBe(404)
    expect((await callApi(product.app, admin, 'GET', `/api/parcel/parcels/${row?.id}`)).statusCode).toBe(200)
  })
})
