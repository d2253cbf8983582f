import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { connectRawClient } from '../../../test/raw-client.ts'
import { maxPipelinedRequests, maxRequestUrlLength } from './limits.ts'

const get = (url: string, headers = 'host: a\r\n') => `GET ${url} HTTP/1.1\r\n${headers}\r\n`
const post = (url: string, headers: string) =>
  `POST ${url} HTTP/1.1\r\nhost: a\r\n${headers}content-length: 0\r\n\r\n`

/** Requests that are refused before or instead of a handler, with the status of their refusal. */
const refusedRequests: [string, number, string][] = [
  ['a URL with invalid percent encoding', 400, get('/api/track/%E0%A4%A?phone=1')],
  ['a path segment that is too long', 414, get(`/api/track/${'x'.repeat(300)}?phone=1234`)],
  ['a URL that is too long', 414, get(`/?a=${'x'.repeat(maxRequestUrlLength)}`)],
  ['a URL with too many parameters', 400, get(`/?${'a&'.repeat(300)}`)],
  ['two hosts', 400, get('/healthz', 'host: a\r\nhost: b\r\n')],
  ['no host', 400, get('/healthz', '')],
  ['an unknown expectation', 417, get('/healthz', 'host: a\r\nexpect: 200-ok\r\n')],
  ['no token', 401, get('/parcel/auth/me')],
  ['an unknown path', 404, get('/api/no-such-call')],
  ['a method that the path does not have', 405, post('/healthz', '')],
  [
    'a media type that the call does not accept',
    415,
    post('/parcel/auth/login', 'content-type: text/plain\r\n'),
  ],
]

describe.each(refusedRequests)('a request with %s', (_, status, request) => {
  let product: Product
  beforeAll(async () => {
    product = await createTestApp()
    await product.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => product.close())

  test('a refused request is limited like any other request', async () => {
    const single = connectRawClient(product.app, request)
    await expect.poll(() => single.getReceived()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    single.socket.destroy()

    const flood = connectRawClient(product.app, request.repeat(200))
    await expect.poll(() => flood.isClosed()).toBe(true)
    const answers = flood.getReceived().split(`HTTP/1.1 ${status} `).length - 1
    expect(answers).toBeLessThanOrEqual(maxPipelinedRequests)

    // The flood blocked the address.
    const blocked = connectRawClient(product.app, request)
    await expect.poll(() => blocked.isClosed()).toBe(true)
    expect(blocked.getReceived()).toBe('')
  })
})
