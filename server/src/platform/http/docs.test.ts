import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../../test/app.ts'

let product: Product
let open: Product
let admin: Signed

beforeAll(async () => {
  product = await createTestApp()
  open = await createTestApp({ KARVON_API_DOCS: 'public' })
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})
afterAll(() => Promise.all([product.close(), open.close()]))

const documents = ['/api/openapi.json', '/api/docs/json', '/api/docs/yaml']

test.each(documents)('answers %s to whoever is signed in', async (url) => {
  for (const spelled of [url, `${url}/`, url.replace('api', '%61pi')])
    expect((await ask(product.app, null, 'GET', spelled)).statusCode).toBe(401)
  const answer = await ask(product.app, admin, 'GET', url)
  expect(answer.json()).toMatchObject({ openapi: '3.1.0' })
})

test('answers the page to anybody, with the session that the web keeps for its document', async () => {
  expect((await ask(product.app, null, 'GET', '/api/docs')).statusCode).toBe(200)
  const script = await ask(product.app, null, 'GET', '/api/docs/static/swagger-initializer.js')
  expect(script.body).toContain(`localStorage.getItem('emu_auth')`)
})

test.each(documents)('answers %s to anybody where the settings open it', async (url) => {
  expect((await ask(open.app, null, 'GET', url)).statusCode).toBe(200)
})

test('answers 304 to whoever has the document already', async () => {
  const first = await ask(product.app, admin, 'GET', '/api/openapi.json')
  const headers = { ...admin.headers, 'if-none-match': String(first.headers.etag) }
  const again = await product.app.inject({ url: '/api/openapi.json', headers })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})
