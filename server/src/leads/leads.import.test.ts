import type { Page } from '@karvon/contract/kit/page.ts'
import type { Lead } from '@karvon/contract/leads/leads.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstAdmin, ask, createTestApp, signIn, type Product, type Signed } from '../../test/app.ts'
import { sendFile } from '../../test/files.ts'

let product: Product
let admin: Signed
let source: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  source = await createSource('Network')
})

afterAll(() => product.close())

async function createSource(name: string): Promise<number> {
  const answer = await ask(product.app, admin, 'POST', '/api/admin/cpa-sources/', {
    name,
    url: 'https://network.example',
  })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: number }>().id
}

const send = (
  name: string,
  content: string | Buffer,
  fields: Record<string, string> = { source_id: String(source) },
) => sendFile(product.app, admin, '/api/admin/leads/import/', { name, content }, fields)

const list = async (query: string) =>
  (await ask(product.app, admin, 'GET', `/api/admin/leads/?${query}`)).json<Page<Lead>>()

describe('a csv file', () => {
  test('goes in once, however often it is sent', async () => {
    const csv = `external_id,created_at,status,payout,offer,stream\nA1,2026-11-20T23:30:00Z,sold,12.5,Smart soat,Reels\nA2,2026-11-20 10:00,new,7,Smart soat,\n`
    expect((await send('leads.csv', csv)).json()).toEqual({
      imported: 2,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      errors: [],
    })
    expect((await send('leads.csv', csv)).json()).toEqual({
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
      word: 'sold',
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
})
