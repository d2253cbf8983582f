import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../test/app.ts'

let worker: Product
beforeAll(async () => {
  worker = await createTestApp({ KARVON_PROCESS: 'worker' })
})
afterAll(() => worker.close())

test('a background process answers health, readiness and metrics, and 404 for everything else', async () => {
  const status = async (url: string) => (await worker.app.inject({ url })).statusCode
  for (const url of ['/healthz', '/readyz', '/metrics'])
    await expect.poll(() => status(url), { message: url }).toBe(200)
  for (const url of ['/', '/login', '/api/openapi.json', '/api/admin/offers/', '/api/app/settings'])
    expect(await status(url), url).toBe(404)
})

test('a background process refuses other addresses and methods as every process does', async () => {
  const inject = async (method: 'GET' | 'POST', url: string) =>
    (await worker.app.inject({ method, url })).json()
  const refusal = { code: 'no_such_address', detail: expect.any(String) }
  expect(await inject('GET', '/parcels')).toMatchObject(refusal)
  expect(await inject('POST', '/api/admin/offers/')).toMatchObject(refusal)
  expect(await inject('POST', '/healthz')).toMatchObject({ code: 'method_not_allowed' })
})
