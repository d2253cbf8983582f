import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { connectRawClient, shortClientTimeouts } from '../../../test/raw-client.ts'

const securityHeaders = [
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
]

let product: Product
let webFolder: string

beforeAll(async () => {
  webFolder = await mkdtemp(path.join(tmpdir(), 'karvon-web-'))
  await writeFile(path.join(webFolder, 'index.html'), '<title>Karvon</title>')
  await writeFile(path.join(webFolder, '.sources'), 'a note of the build')
  product = await createTestApp({}, { webFolder, clientTimeouts: shortClientTimeouts })
  await product.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await product.close()
  await rm(webFolder, { recursive: true })
})

test.each(['/api/parcel/parcels/all', '/%61pi/parcel/parcels/all', '/parcel/%61uth/me', '/%70arcel/nothing'])(
  'the answer of a call at %s must not be stored',
  async (url) => {
    expect((await product.app.inject(url)).headers['cache-control']).toBe('no-store')
  },
)

test.each(['/.sources', '/%2esources'])("the build's own notes are not served at %s", async (url) => {
  expect((await product.app.inject(url)).body).not.toContain('a note of the build')
})

test.each([
  ['an absolute URL that cannot be parsed', 400, 'GET http://[ HTTP/1.1\r\nhost: a'],
  ['an invalid percent encoding', 400, 'GET /api/%zz HTTP/1.1\r\nhost: a'],
  ['no host', 400, 'GET /healthz HTTP/1.1\r\nx: y'],
  ['two hosts', 400, 'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b'],
  ['an unknown method', 400, 'FOO / HTTP/1.1\r\nhost: a'],
  ['an unknown version', 400, 'GET / HTTP/3.7\r\nhost: a'],
  ['two lengths', 400, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2'],
  ['an unknown transfer encoding', 400, 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: foo'],
  ['an unknown expectation', 417, 'POST / HTTP/1.1\r\nhost: a\r\nexpect: foo\r\ncontent-length: 0'],
  ['too large headers', 431, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(100_000)}`],
  ['an incomplete head', 408, 'GET / HTTP/1.1\r\nhost: a\r\nx: y', ''],
  [
    'an incomplete body',
    408,
    'POST /parcel/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9',
  ],
])(
  'the answer to a request with %s has the security headers and a code',
  async (_, status, head, end = '\r\n\r\n') => {
    const { headers } = await product.app.inject('/healthz')
    const client = connectRawClient(product.app, head + end)
    await vi.waitFor(() => expect(client.getReceived()).toMatch(/^HTTP[^]*\r\n\r\n\{.*"code":"\w+"/), {
      timeout: 15_000,
    })
    client.socket.destroy()
    expect(client.getReceived()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    for (const name of securityHeaders)
      expect(client.getReceived()).toContain(`\r\n${name}: ${String(headers[name])}\r\n`)
  },
)
