import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { connectRawClient } from '../../../test/raw-client.ts'

let product: Product
let webFolder: string

beforeAll(async () => {
  webFolder = await mkdtemp(path.join(tmpdir(), 'karvon-web-'))
  await writeFile(path.join(webFolder, 'index.html'), '<title>Karvon</title>')
  await writeFile(path.join(webFolder, '.sources'), 'a note of the build')
  product = await createTestApp({}, { webFolder })
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

test('a request with two Host headers is refused with 400', async () => {
  const client = connectRawClient(product.app, 'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n')
  await vi.waitFor(() => expect(client.getReceived()).toMatch(/^HTTP\/1.1 400 /))
  client.socket.destroy()
})
