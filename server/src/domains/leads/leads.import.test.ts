import type { Page } from '@karvon/contract/lib/page.ts'
import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import type { Lead, LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { day, now } from '../../../test/moment.ts'
import { createUser } from '../../../test/people.ts'

let product: Product
let admin: Session
let source: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  source = await createSource('Network')
})

afterAll(() => product.close())

async function createSource(name: string): Promise<number> {
  const answer = await callApi(product.app, admin, 'POST', '/api/admin/cpa-sources/', {
    name,
    url: 'https://network.example',
  })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: number }>().id
}

const head = 'external_id,created_at,status,payout'

const send = (
  lines: readonly string[],
  fields: Record<string, string> = { source_id: String(source) },
  as: Session | null = admin,
) =>
  sendFile(
    product.app,
    as,
    '/api/admin/leads/import/',
    { name: 'leads.csv', content: lines.join('\n') },
    fields,
  )

const sendRows = async (...rows: string[]) => (await send([head, ...rows])).json<ImportAnswer>()

const list = async (query: string) =>
  (await callApi(product.app, admin, 'GET', `/api/admin/leads/?${query}`)).json<Page<Lead>>()

describe('Import of leads', () => {
  test('a repeated import of a file changes nothing', async () => {
    const lines = [
      `${head},offer,stream`,
      'A1,2026-11-20T23:30:00Z,sold,12.5,Smart soat,Reels',
      'A2,2026-11-20 10:00,new,7,Smart soat,',
    ]
    expect((await send(lines)).json()).toEqual({
      imported: 2,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      errors: [],
    })
    expect((await send(lines)).json()).toEqual({
      imported: 0,
      updated: 0,
      unchanged: 2,
      skipped: 0,
      errors: [],
    })
    const { items, meta } = await list('sort=external_id')
    expect(meta).toMatchObject({ total: 2, filtered_total: 2, items_on_page: 2 })
    expect(items[0]).toMatchObject({
      external_id: 'A1',
      source_status: 'sold',
      column: 'sold',
      status: { name: 'Sold' },
      offer: { name: 'Smart soat' },
      stream: { name: 'Reels' },
      payout: 12.5,
      currency: 'UZS',
      // Half past eleven in the evening UTC is the next day in Tashkent.
      day: '2026-11-21',
      created_at: '2026-11-21T04:30:00+05:00',
    })
    expect(items[1]).toMatchObject({
      column: null,
      status: null,
      created_at: '2026-11-20T10:00:00+05:00',
      stream: null,
    })
  })

  test('an import skips bad rows and reports each bad cell', async () => {
    const answer = await sendRows(
      'B1,2026-11-20,sold,1',
      ',2026-11-20,sold,1',
      'B2,,sold,1',
      'B3,2026-13-01,sold,1',
      'B4,2026-02-30,sold,1',
      'B5,yesterday,,abc',
      'B6,2026-11-20,sold,1.005',
      'B7,2026-11-20,sold,-1',
      'B8,2026-11-20,sold,99999999999999',
      `${'B'.repeat(256)},2026-11-20,sold,1`,
      'B9,2026-11-20,sold,2',
      'B10,1923-11-20,sold,2',
    )
    expect(answer).toMatchObject({ imported: 2, updated: 0, unchanged: 0, skipped: 10 })
    expect(answer.errors).toMatchObject([
      { row: 2, field: 'external_id', message: 'external_id is required' },
      { row: 3, field: 'created_at', message: 'created_at is required' },
      { row: 4, field: 'created_at', message: 'created_at is not a time that exists' },
      { row: 5, field: 'created_at', message: 'created_at is not a time that exists' },
      { row: 6, field: 'status', message: 'status is required' },
      { row: 6, field: 'payout', message: 'payout is not a number', code: 'not_a_number' },
      { row: 6, field: 'created_at', message: 'created_at is not a time such as 2026-11-21T09:42:00+05:00' },
      { row: 7, field: 'payout', message: 'payout has more than 2 decimals' },
      { row: 8, field: 'payout', message: 'payout must not be negative' },
      { row: 9, field: 'payout', message: 'payout is too large' },
      { row: 10, field: 'external_id', message: 'external_id is longer than 255 characters' },
      { row: 12, field: 'created_at', message: 'created_at is not a time that exists' },
    ])
  })

  test.each([
    ['"1,5"', 1.5],
    ['0', 0],
    ['38 000', 38_000],
    ['1\u00a0234\u202f567.89', 1_234_567.89],
    ['"+1,234.5"', 1234.5],
    ['"1,234,567.25"', 1_234_567.25],
    ['"1.234.567,75"', 1_234_567.75],
    ['"1,234,568"', 1_234_568],
    ['1.234.569', 1_234_569],
    ['9999999999999.99', 9_999_999_999_999.99],
  ])('an import reads a payout of %s', async (text, payout) => {
    const id = `P ${payout}`
    expect(await sendRows(`${id},2026-11-20,sold,${text}`)).toMatchObject({ imported: 1 })
    expect((await list(`external_id=${encodeURIComponent(id)}`)).items).toMatchObject([{ payout }])
  })

  test.each(['"1,234"', '1.234', '"1,234,56"', '"12,34.5"', '"1,234.567.8"', '"0,123.45"', '"1,234 567.8"'])(
    'an import refuses the ambiguous payout %s',
    async (text) => {
      expect(await sendRows(`R1,2026-11-20,sold,${text}`)).toMatchObject({ imported: 0, skipped: 1 })
    },
  )

  test.each([
    ['2026-11-20T10:00:00+03:00', '2026-11-20T12:00:00+05:00'],
    ['2026-11-20T10:00:00.5-0230', '2026-11-20T17:30:00.5+05:00'],
    ['2026-11-20', '2026-11-20T00:00:00+05:00'],
    ['20.11.2026 9:05', '2026-11-20T09:05:00+05:00'],
    ['2026/11/20 9:05', '2026-11-20T09:05:00+05:00'],
    ['2026.11.20', '2026-11-20T00:00:00+05:00'],
    ['20.11.2026\u00A09:05', '2026-11-20T09:05:00+05:00'],
    ['2026-11-20\u00A0 09:05', '2026-11-20T09:05:00+05:00'],
  ])('an import reads a time of %s', async (text, created_at) => {
    expect(await sendRows(`T ${text},${text},sold,1`)).toMatchObject({ imported: 1 })
    expect((await list(`external_id=${encodeURIComponent(`T ${text}`)}`)).items).toMatchObject([
      { created_at },
    ])
  })

  test('an import lists at most 1,000 errors, counts all, and stores the good rows of every batch', async () => {
    const rows = Array.from({ length: 4600 }, (_, i) =>
      i % 2 === 0 ? `M${i},2026-11-20,sold,1` : `M${i},never,sold,1`,
    )
    const answer = await sendRows(...rows)
    expect(answer).toMatchObject({ imported: 2300, skipped: 2300 })
    expect(answer.errors).toHaveLength(1000)
    expect(answer.errors.at(-1)?.row).toBe(2000)
  })

  test('an import changes a lead to newer states only, and the history names the file', async () => {
    const rowOf = (sourceStatus: string, day: number) => `H1,2026-11-01,${sourceStatus},5,2026-11-${day}`
    const file = (...rows: string[]) =>
      send([`${head},updated_at`, ...rows]).then((answer) => answer.json<ImportAnswer>())
    expect(await file(rowOf('accepted', 10))).toMatchObject({ imported: 1 })
    expect(await file(rowOf('sold', 20))).toMatchObject({ updated: 1 })
    expect(await file(rowOf('sent', 15))).toMatchObject({ unchanged: 1, updated: 0 })
    const [lead] = (await list('external_id=H1')).items
    const storedLead = (
      await callApi(product.app, admin, 'GET', `/api/admin/leads/${lead?.id}/`)
    ).json<LeadWithHistory>()
    expect(storedLead).toMatchObject({ source_status: 'sold', column: 'sold' })
    expect(storedLead.history).toMatchObject([
      {
        source_status: 'sold',
        status: { name: 'Sold' },
        origin: 'file',
        reason: 'leads.csv',
        source_time: '2026-11-20T00:00:00+05:00',
      },
      { source_status: 'accepted', status: { name: 'Accepted' }, payout: 5 },
    ])
  })

  test('a row with a time in the future is skipped, so that it keeps no newer state away', async () => {
    const rows = ['U1,2026-11-20,sold,1,2200-01-01', 'U1,2200-01-01,sent,1,']
    expect((await send([`${head},updated_at`, ...rows])).json<ImportAnswer>()).toMatchObject({
      imported: 0,
      skipped: 2,
      errors: [
        { row: 1, field: 'updated_at', code: 'time_in_future' },
        { row: 2, field: 'created_at', code: 'time_in_future' },
      ],
    })
    const tomorrow = new Date(now() + day).toISOString()
    expect((await send([`${head},updated_at`, `U1,2026-11-20,sold,1,${tomorrow}`])).json()).toMatchObject({
      imported: 1,
    })
  })

  test('a cell of invisible characters is empty, and the limit of a text counts characters', async () => {
    const id = '😀'.repeat(255)
    expect(
      await sendRows(
        '\u200B\u00A0,2026-11-20,sold,1',
        `${id},2026-11-20,sold,1`,
        `${id}😀,2026-11-20,sold,1`,
      ),
    ).toMatchObject({
      imported: 1,
      errors: [
        { row: 1, field: 'external_id', code: 'required' },
        { row: 3, field: 'external_id', code: 'longer_than' },
      ],
    })
  })
})

describe('Invalid requests', () => {
  test('an invalid import request names its fault', async () => {
    const row = [head, 'x,2026-11-20,sold,1']
    expect((await send(row, { source_id: '999999' })).json()).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'source_id' }],
    })
    expect((await send(row, {})).json()).toMatchObject({ code: 'invalid', detail: 'Source is required' })
    expect((await send(row, { source_id: 'one' })).statusCode).toBe(422)
    expect((await send(row, undefined, null)).statusCode).toBe(401)
    const aziz = await createUser(product.app, admin, 'aziz')
    expect((await send(row, undefined, aziz)).statusCode).toBe(403)
    expect((await callApi(product.app, admin, 'GET', '/api/admin/leads/999999')).statusCode).toBe(404)
  })

  test.each([
    'sort=word',
    'page=0',
    'start_date=2026-02-30',
    'source_id=x',
    'per_page=201',
    'column=leads',
    'offer_id=-1',
    'stream_id=1.5',
  ])('a list query with %s is answered with 422', async (query) => {
    expect((await callApi(product.app, admin, 'GET', `/api/admin/leads/?${query}`)).statusCode).toBe(422)
  })
})

test('the list of leads filters, sorts and pages in both styles', async () => {
  const otherSource = await createSource('Other')
  const rows = Array.from(
    { length: 25 },
    (_, i) => `L%_${String(i).padStart(2, '0')},2026-10-${String(i + 1).padStart(2, '0')},sold,${i}`,
  )
  await send([head, ...rows], { source_id: String(otherSource) })
  const of = (query: string) => list(`source_id=${otherSource}&${query}`)
  expect((await of('')).meta).toMatchObject({ filtered_total: 25, per_page: 10, last_page: 3 })
  expect((await of('sort=-payout&per_page=2')).items.map(({ payout }) => payout)).toEqual([24, 23])
  expect((await of('sort=payout&page=3&limit=10')).items.map(({ payout }) => payout)).toEqual([
    20, 21, 22, 23, 24,
  ])
  expect((await of('sort=payout&skip=23&limit=10')).items.map(({ payout }) => payout)).toEqual([23, 24])
  expect((await of('start_date=2026-10-02&end_date=2026-10-04')).meta.filtered_total).toBe(3)
  expect((await of(`search=${encodeURIComponent('L%_1')}`)).meta.filtered_total).toBe(10)
  expect((await of('search=L1')).meta.filtered_total).toBe(0)
  expect((await of('column=sold')).meta.filtered_total).toBe(25)
  expect((await of('column=hold')).items).toEqual([])
})
