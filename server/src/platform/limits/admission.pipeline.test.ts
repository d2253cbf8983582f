import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../../test/app.ts'
import { rawClient } from '../../../test/raw-client.ts'
import { maxPipelinedRequests } from './limits.ts'
import { getRefusalCounts } from '../http/refusals.ts'

let product: Product
let admin: Signed
beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  await product.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => product.close())

test('a connection that sends 2,000 requests at once is closed, and few of them are looked at', async () => {
  let requests = 0
  product.app.server.on('request', () => (requests += 1))
  const before = getRefusalCounts().get('pipelined') ?? 0
  // All of them reach the server in one piece of what it reads.
  const client = rawClient(product.app, 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2000))
  await expect.poll(() => client.closed()).toBe(true)
  expect(requests).toBeLessThanOrEqual(maxPipelinedRequests + 1)
  expect(getRefusalCounts().get('pipelined')).toBe(before + 1)
})

test('while its address is cut off, who has a token is answered, and nobody else', async () => {
  const flood = rawClient(product.app, 'GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50))
  await expect.poll(() => flood.closed()).toBe(true)
  const asked = (headers: string) =>
    rawClient(product.app, `GET /parcel/auth/me HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
  const person = asked(`authorization: ${admin.headers.authorization}\r\n`)
  await expect.poll(() => person.heard()).toMatch(/^HTTP\/1.1 200 /)
  person.socket.destroy()
  const nobody = asked('')
  await expect.poll(() => nobody.closed()).toBe(true)
  expect(nobody.heard()).toBe('')
})
