import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'

let product: Product
let open: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  open = await createTestApp({ KARVON_API_DOCS: 'public' })
  admin = await signInAdmin(product.app)
})
afterAll(() => Promise.all([product.close(), open.close()]))

const documents = ['/api/openapi.json', '/api/docs/json', '/api/docs/yaml']

test.each(documents)('%s is answered only to signed-in callers', async (url) => {
  for (const spelledUrl of [url, `${url}/`, url.replace('api', '%61pi')])
    expect((await callApi(product.app, null, 'GET', spelledUrl)).statusCode).toBe(401)
  const answer = await callApi(product.app, admin, 'GET', url)
  expect(answer.json()).toMatchObject({ openapi: '3.1.0' })
})

test("the documentation page is public and takes the web's session for its document", async () => {
  expect((await callApi(product.app, null, 'GET', '/api/docs')).statusCode).toBe(200)
  const script = await callApi(product.app, null, 'GET', '/api/docs/static/swagger-initializer.js')
  expect(script.body).toContain(`localStorage.getItem('emu_auth')`)
})

test.each(documents)('%s is answered to everybody if the settings open it', async (url) => {
  expect((await callApi(open.app, null, 'GET', url)).statusCode).toBe(200)
})

test('the OpenAPI document answers 304 for its own ETag', async () => {
  const first = await callApi(product.app, admin, 'GET', '/api/openapi.json')
  const headers = { ...admin.headers, 'if-none-match': String(first.headers.etag) }
  const again = await product.app.inject({ url: '/api/openapi.json', headers })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('the texts of the OpenAPI document address the reader as "you"', async () => {
  const document = (await callApi(product.app, admin, 'GET', '/api/openapi.json')).body
  const texts = [...document.matchAll(/"(?:summary|description)":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, text = '']) => text,
  )
  expect(texts.length).toBeGreaterThan(300)
  expect(texts.filter((text) => /\b(own|oneself|caller)\b|\ba [aeio]/i.test(text))).toEqual([])
})
