import type { Parcel, ParcelWithHistory } from '@karvon/contract/parcels/parcels.ts'
import type { ProblemCounts } from '@karvon/contract/parcels/problems.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { ago, day } from '../../../test/moment.ts'
import { createUser } from '../../../test/people.ts'

let product: Product
let admin: Session
let aziz: Session
let olma: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
  olma = await createUser(product.app, admin, 'olma')
  await storeEvents(
    `A1,COURIERCANCELED,${ago(day)},aziz`,
    `A2,DATECHANGE,${ago(day)},aziz`,
    `A3,UNCONFIRM,${ago(day)},aziz`,
    `A4,LOST,${ago(day)},aziz`,
    `A5,DELIVERY,${ago(6 * day)},aziz`,
    `A6,DELIVERY,${ago(4 * day)},aziz`,
    `A7,COMPLETE,${ago(90 * day)},aziz`,
    `A8,DATECHANGE,${ago(20 * day)},aziz`,
    `O1,UNCONFIRM,${ago(day)},olma`,
  )
})

afterAll(() => product.close())

async function storeEvents(...rows: string[]): Promise<void> {
  const content = ['orderno,status,event_time,owner', ...rows].join('\n')
  const answer = await sendFile(product.app, admin, '/api/admin/parcels/import/', { name: 'p.csv', content })
  expect(answer.json()).toMatchObject({ skipped: 0 })
}

async function list(as: Session, query: string): Promise<string[]> {
  const answer = await callApi(
    product.app,
    as,
    'GET',
    `/api/parcel/parcels/all?sort=orderno&limit=100&${query}`,
  )
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ items: Parcel[] }>().items.map(({ orderno, problem }) => `${orderno} ${problem}`)
}

const counts = async (as: Session, query = '') =>
  (await callApi(product.app, as, 'GET', `/api/parcel/parcels/problems${query}`)).json<ProblemCounts>()

const idOf = async (orderno: string) =>
  (await callApi(product.app, admin, 'GET', `/api/parcel/parcels/all?orderno=${orderno}`)).json<{
    items: Parcel[]
  }>().items[0]?.id

const detail = async (as: Session, id: number | undefined) =>
  (await callApi(product.app, as, 'GET', `/api/parcel/parcels/${id}`)).json<ParcelWithHistory>()

test('problem parcels are filtered by their reason, or all together', async () => {
  expect(await list(aziz, 'problem=any')).toEqual([
    'A1 refused',
    'A2 postponed',
    'A3 not_agreed',
    'A4 lost',
    'A5 no_progress',
    'A8 postponed',
  ])
  expect(await list(aziz, 'problem=no_progress')).toEqual(['A5 no_progress', 'A8 postponed'])
  expect(await list(aziz, 'problem=no_progress&no_progress_days=3')).toEqual([
    'A5 no_progress',
    'A6 null',
    'A8 postponed',
  ])
  expect(await list(aziz, 'problem=lost')).toEqual(['A4 lost'])
  expect(await list(admin, 'problem=not_agreed')).toEqual(['A3 not_agreed', 'O1 not_agreed'])
  expect((await callApi(product.app, aziz, 'GET', '/api/parcel/parcels/all?problem=other')).statusCode).toBe(
    422,
  )
  expect(
    (await callApi(product.app, aziz, 'GET', '/api/parcel/parcels/all?no_progress_days=0')).statusCode,
  ).toBe(422)
})

test('the counts of problem parcels cover own parcels, and all for an admin', async () => {
  expect(await counts(aziz)).toEqual({
    any: 6,
    refused: 1,
    postponed: 2,
    not_agreed: 1,
    lost: 1,
    no_progress: 2,
  })
  expect(await counts(olma)).toMatchObject({ any: 1, not_agreed: 1 })
  expect(await counts(admin, '?no_progress_days=3')).toMatchObject({ any: 8, no_progress: 3 })
})

test("only the owner or an admin writes a note, and it stays when the parcel's status changes", async () => {
  const id = await idOf('A1')
  const write = (as: Session, text: unknown) =>
    callApi(product.app, as, 'POST', `/api/parcel/parcels/${id}/notes/`, { text })
  const answer = await write(aziz, '  Позвонить после 18:00 ')
  expect([answer.statusCode, answer.json()]).toMatchObject([
    201,
    { text: 'Позвонить после 18:00', user: { name: 'aziz' } },
  ])
  expect((await write(admin, 'Called')).statusCode).toBe(201)
  expect((await write(olma, 'Not mine')).statusCode).toBe(404)
  for (const text of ['', '   ', null, 5, 'x'.repeat(2001)])
    expect((await write(aziz, text)).statusCode).toBe(422)
  await storeEvents(`A1,COMPLETE,${ago(0)},aziz`)
  const foundParcel = await detail(aziz, id)
  expect(foundParcel).toMatchObject({ problem: null, status: { code: 'DELIVERED' } })
  expect(foundParcel.notes.map(({ text }) => text)).toEqual(['Called', 'Позвонить после 18:00'])
  expect(await list(aziz, 'problem=refused')).toEqual([])
})
