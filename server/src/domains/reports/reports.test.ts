import {
  reportCall,
  type Figures,
  type FinRow,
  type OfferOrStreamRow,
} from '@karvon/contract/reports/reports.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { createRow, createUser, readId, readOwnId } from '../../../test/people.ts'

let product: Product
let admin: Session
let aziz: Session
let first: number
let second: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  first = await create('/api/admin/cpa-sources/', { name: 'One', url: 'https://one.example' })
  second = await create('/api/admin/cpa-sources/', { name: 'Two', url: 'https://two.example' })
  await create('/api/admin/cpa-sources/', { name: 'Quiet', url: 'https://quiet.example' })
  const role = await create('/api/admin/roles/', { name: 'Buyer', code: 'buyer', source_ids: [first] })
  aziz = await createUser(product.app, admin, 'aziz', role)
  await leads(first, [
    'o1,2026-11-01,sold,0.10,Soat,Reels',
    'o2,2026-11-01,sold,0.20,Soat,Reels',
    'o3,2026-11-02T23:59:59,client_returned,5,Soat,TikTok',
    'o4,2026-11-03,hold,7.77,Lampa,Reels',
    'o5,2026-11-03,new,9,Lampa,',
    'o6,2026-11-03,weird,9,,',
  ])
  await leads(second, [
    't1,2026-11-03,accepted,1,Soat,Telegram',
    't2,2026-11-04,callback,1,Fen,Telegram',
    't3,2026-11-04,sent,1,Fen,Telegram',
    't4,2026-11-05,trash,1,Fen,Telegram',
  ])
  const user_id = await readOwnId(product.app, aziz)
  for (const name of ['Reels', 'Telegram']) {
    const id = await readId(product.app, admin, `/api/admin/streams/?name=${name}`)
    await give(id, user_id)
  }
})

afterAll(() => product.close())

const create = (url: string, body: Record<string, unknown>) => createRow(product.app, admin, url, body)

async function give(stream: number, user_id: number): Promise<void> {
  const answer = await callApi(product.app, admin, 'PUT', `/api/admin/streams/${stream}`, { user_id })
  expect(answer.statusCode, answer.body).toBe(200)
}

async function leads(source: number, rows: readonly string[]): Promise<void> {
  const content = ['external_id,created_at,status,payout,offer,stream', ...rows].join('\n')
  const answer = await sendFile(
    product.app,
    admin,
    '/api/admin/leads/import/',
    { name: 'l.csv', content },
    { source_id: String(source) },
  )
  expect(answer.json()).toMatchObject({ imported: rows.length, skipped: 0 })
}

const reportKinds = ['sources', 'fin', 'stats', 'daily', 'offers', 'streams'] as const

type Row = OfferOrStreamRow & FinRow & { date: string }
type Answer = Page<Row> & { meta: { totals: Figures } }

async function get(as: Session, path: string): Promise<Answer> {
  const answer = await callApi(product.app, as, 'GET', `/api/${path}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Answer>()
}

const names = ({ items }: Answer) => items.map(({ name, leads }) => [name, leads])

describe('Figures', () => {
  test('figures count each status once, sum money exactly, and have rates only with a base', async () => {
    const { items, meta } = await get(admin, 'admin/report/stats')
    expect(items).toEqual([
      {
        id: first,
        name: 'One',
        leads: 6,
        accepted: 0,
        cancel: 0,
        recall: 0,
        send: 0,
        sold: 2,
        returned: 1,
        hold: 1,
        profit: 0.3,
        hold_amount: 7.77,
        approve_rate: 0.5,
        buyout_rate: 0.6667,
      },
      {
        id: second,
        name: 'Two',
        leads: 4,
        accepted: 1,
        cancel: 1,
        recall: 1,
        send: 1,
        sold: 0,
        returned: 0,
        hold: 0,
        profit: 0,
        hold_amount: 0,
        approve_rate: 0.5,
        buyout_rate: null,
      },
    ])
    expect(meta.totals).toEqual({
      leads: 10,
      accepted: 1,
      cancel: 1,
      recall: 1,
      send: 1,
      sold: 2,
      returned: 1,
      hold: 1,
      profit: 0.3,
      hold_amount: 7.77,
      approve_rate: 0.5,
      buyout_rate: 0.6667,
    })
  })

  test('figures of an empty period are zero, without rates', async () => {
    const { items, meta } = await get(admin, 'admin/report/daily?start_date=2030-01-01')
    expect(items).toEqual([])
    expect(meta).toMatchObject({
      total: 5,
      filtered_total: 0,
      totals: { leads: 0, profit: 0, approve_rate: null, buyout_rate: null },
    })
  })

  test('the daily report has the newest day first and includes both ends of a period', async () => {
    const { items } = await get(admin, 'admin/report/daily?start_date=2026-11-02&end_date=2026-11-04')
    expect(items.map(({ date, leads }) => [date, leads])).toEqual([
      ['2026-11-04', 2],
      ['2026-11-03', 4],
      ['2026-11-02', 1],
    ])
  })

  test('the offer report is separate for each source and has a row for leads without an offer', async () => {
    expect(names(await get(admin, 'admin/report/offers?sort=name'))).toEqual(
      [
        ['Fen', 3],
        ['Lampa', 2],
        ['Soat', 3],
        ['Soat', 1],
        ['—', 1],
      ].toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    )
    const { items } = await get(admin, 'admin/report/streams?sort=leads')
    expect(items.find(({ name }) => name === '—')).toMatchObject({ id: null, leads: 2 })
  })

  test('a row names its source where another row has the same name', async () => {
    const readRows = async (as: Session, path: string) =>
      (await get(as, path)).items.map(({ name, source }) => `${name} ${source?.name ?? 'alone'}`)
    const allOffers = await readRows(admin, 'admin/report/offers')
    expect(allOffers.toSorted()).toEqual(['Fen alone', 'Lampa alone', 'Soat One', 'Soat Two', '— alone'])
    const offersOfSource = await readRows(admin, `admin/report/offers?source_id=${second}`)
    expect(offersOfSource).toEqual(['Fen alone', 'Soat alone'])
    expect(await readRows(aziz, 'user/report/offers')).toContain('Soat alone')
    const file = await callApi(product.app, admin, 'GET', '/api/admin/report/offers?format=csv')
    const sourcesInFile = file.body.split('\r\n').flatMap((line) => /,Soat,.*,(\w+)$/.exec(line)?.[1] ?? [])
    expect(sourcesInFile.toSorted((a, b) => a.localeCompare(b))).toEqual(['One', 'Two'])
  })

  test('a lead with an unmapped status counts only in the column of leads', async () => {
    const { meta } = await get(
      admin,
      `admin/report/daily?source_id=${first}&start_date=2026-11-03&end_date=2026-11-03`,
    )
    expect(meta.totals).toMatchObject({ leads: 3, hold: 1, accepted: 0, sold: 0, cancel: 0 })
  })
})

describe('Report lists', () => {
  test("a report's search is by name, and its totals are those of the found rows", async () => {
    const foundReport = await get(admin, 'admin/report/offers?search=SOA')
    expect(names(foundReport)).toEqual([
      ['Soat', 3],
      ['Soat', 1],
    ])
    expect(foundReport.meta).toMatchObject({
      total: 5,
      filtered_total: 2,
      totals: { leads: 4, sold: 2, profit: 0.3 },
    })
  })

  test('a page of a report has the totals of all pages', async () => {
    const second = await get(admin, 'admin/report/offers?per_page=2&page=2&sort=-profit')
    expect(second.items).toHaveLength(2)
    expect(second.meta).toMatchObject({ current_page: 2, last_page: 3, total: 5, totals: { leads: 10 } })
    expect((await get(admin, 'admin/report/offers?page=9')).items).toEqual([])
  })

  const keys = reportKinds.flatMap((kind) => {
    const { query } = reportCall('admin', kind)
    const { sort } = (query as unknown as { properties: { sort: { anyOf: { const: string }[] } } }).properties
    return sort.anyOf.map((option) => [kind, option.const] as const)
  })

  test.each(keys)('the report %s sorts by %s', async (kind, sort) => {
    const { items } = await get(admin, `admin/report/${kind}?sort=${sort}`)
    const key = sort.replace('-', '')
    const values = items.map((row) => (row as unknown as Record<string, string | number | null>)[key])
    const knownValues = values.filter((value) => value !== null && value !== undefined)
    if (typeof knownValues[0] !== 'number') return expect(knownValues.length).toBe(values.length)
    const rising = (knownValues as number[]).toSorted((a, b) => a - b)
    expect(knownValues).toEqual(sort.startsWith('-') ? rising.toReversed() : rising)
    // Rows without a rate are last in both directions.
    return expect(values.slice(0, knownValues.length)).toEqual(knownValues)
  })

  test.each([
    'start_date=2026-11-05&end_date=2026-11-01',
    'start_date=2026-02-30',
    'sort=word',
    'source_id=x',
    'per_page=0',
  ])('a report query with %s is answered with 422', async (query) => {
    expect((await callApi(product.app, admin, 'GET', `/api/admin/report/daily?${query}`)).statusCode).toBe(
      422,
    )
  })
})

describe('Money by source', () => {
  test('the money report has a row for every source, with or without leads', async () => {
    const { items } = await get(admin, 'admin/report/fin')
    expect(items.map(({ name, profit, hold_amount }) => [name, profit, hold_amount])).toEqual([
      ['One', 0.3, 7.77],
      ['Quiet', 0, 0],
      ['Two', 0, 0],
    ])
    expect((await get(admin, `admin/report/fin?source_id=${second}`)).items).toHaveLength(1)
  })
})

describe('Reports of a person', () => {
  test('a person sees own streams at the sources of their role, and nothing else', async () => {
    const { items, meta } = await get(aziz, 'user/report/daily')
    expect(meta.totals).toMatchObject({ leads: 3, sold: 2, hold: 1, profit: 0.3 })
    expect(items.map(({ date }) => date)).toEqual(['2026-11-03', '2026-11-01'])
    expect(names(await get(aziz, 'user/report/streams'))).toEqual([['Reels', 3]])
    expect(names(await get(aziz, 'user/report/stats'))).toEqual([['One', 3]])
    expect((await get(aziz, 'user/report/sources')).items).toEqual([{ id: first, name: 'One' }])
    expect((await get(aziz, 'user/report/fin')).items).toMatchObject([{ name: 'One', profit: 0.3 }])
    expect((await get(aziz, `user/report/offers?source_id=${second}`)).items).toEqual([])
    expect((await get(aziz, `user/report/sources?search=two`)).meta).toMatchObject({
      total: 1,
      filtered_total: 0,
    })
  })

  test.each(reportKinds)('a person gets 403 for the admin report %s', async (kind) => {
    expect((await callApi(product.app, aziz, 'GET', `/api/admin/report/${kind}`)).statusCode).toBe(403)
    expect((await callApi(product.app, null, 'GET', `/api/user/report/${kind}`)).statusCode).toBe(401)
  })
})
