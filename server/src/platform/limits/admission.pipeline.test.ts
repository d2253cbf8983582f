import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { connectRawClient } from '../../../test/raw-client.ts'
import { maxPipelinedRequests } from './limits.ts'
import { getRefusalCounts } from '../http/refusals.ts'

let product: Product
let admin: Session
beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  await product.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => product.close())

test('a connection with 2,000 pipelined requests is closed, and few of them are handled', async () => {
  let requests = 0
  product.app.server.on('request', () => (requests += 1))
  const before = getRefusalCounts().get('pipelined') ?? 0
  // All of them reach the server in one read.
  const client = connectRawClient(product.app, 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2000))
  await expect.poll(() => client.isClosed()).toBe(true)
  expect(requests).toBeLessThanOrEqual(maxPipelinedRequests + 1)
  expect(getRefusalCounts().get('pipelined')).toBe(before + 1)
})

test('while an address is blocked, requests with a token are answered, and no others', async () => {
  const flood = connectRawClient(product.app, 'GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50))
  await expect.poll(() => flood.isClosed()).toBe(true)
  const sendProfileRequest = (headers: string) =>
    connectRawClient(product.app, `GET /parcel/auth/me HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
  const person = sendProfileRequest(`authorization: ${admin.headers.authorization}\r\n`)
  await expect.poll(() => person.getReceived()).toMatch(/^HTTP\/1.1 200 /)
  person.socket.destroy()
  const anonymous = sendProfileRequest('')
  await expect.poll(() => anonymous.isClosed()).toBe(true)
  expect(anonymous.getReceived()).toBe('')
})

test('a request whose client has reset the connection is dropped, because it has no address', async () => {
  product.app.server.prependOnceListener('connection', (socket: Socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: undefined }),
  )
  const client = connectRawClient(
    product.app,
    `GET /parcel/auth/me HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: ${admin.headers.authorization}\r\n\r\n`,
  )
  await expect.poll(() => client.isClosed()).toBe(true)
  expect(client.getReceived()).toBe('')
})
