import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  await product.deps.pool.query(
    `with source as (insert into cpa_sources (name, url) values ('Net', 'https://net.example') returning id)
     insert into offers (name, source_id) select 'Чайник ' || n, source.id from source, generate_series(1, 200) n`,
  )
})
afterAll(() => product.close())

const read = (encoding: string | undefined, { method, size }: { method?: 'HEAD'; size?: number } = {}) =>
  product.app.inject({
    method: method ?? 'GET',
    url: `/api/admin/offers/?sort=id&per_page=${size ?? 200}`,
    headers: {
      authorization: `Bearer ${admin.token}`,
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
    },
  })

test('a long answer is compressed for a client that accepts gzip, and has the same text', async () => {
  const plain = await read(undefined)
  expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  for (const encoding of ['gzip', 'gzip, deflate, br, zstd', 'br;q=1, gzip;q=0.5', '*']) {
    const compressed = await read(encoding)
    expect(compressed.headers, encoding).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(compressed.rawPayload.length),
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
    })
    expect(gunzipSync(compressed.rawPayload).toString(), encoding).toBe(plain.body)
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
    const head = await read(encoding, { method: 'HEAD' })
    expect(head.headers, encoding).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': compressed.headers['content-length'],
    })
  }
})

test('an answer is not compressed for a client that refuses gzip, and a short one for nobody', async () => {
  for (const encoding of ['identity', 'br', 'gzip;q=0', 'gzip;q=0, *', '*;q=0.5, gzip; q=0.0', ''])
    expect((await read(encoding)).headers['content-encoding'], encoding).toBeUndefined()
  const short = await read('gzip', { size: 1 })
  expect(short.headers['content-encoding']).toBeUndefined()
  expect(short.headers['vary']).toBeUndefined()
  expect(short.json().items).toHaveLength(1)
})

test('an export is sent as it is', async () => {
  const answer = await product.app.inject({
    method: 'GET',
    url: '/api/admin/offers/?format=csv',
    headers: { authorization: `Bearer ${admin.token}`, 'accept-encoding': 'gzip' },
  })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.body).toContain('Чайник 200')
})
