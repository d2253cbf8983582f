import { connect, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { shortClientTimeouts } from '../../../test/raw-client.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp({}, { clientTimeouts: shortClientTimeouts })
  admin = await signInAdmin(product.app)
  await product.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => product.close())

const bytes = 20_000_000

const post = (...headers: string[]) =>
  [
    'POST /api/admin/offers/ HTTP/1.1',
    'host: karvon',
    'content-type: application/json',
    `content-length: ${bytes}`,
    ...headers,
    '\r\n',
  ].join('\r\n')

/** A client that may send after the server has ended its direction of the connection, as browsers do. */
function connectClient(text: string) {
  const { port } = product.app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const client = { socket, received: '', errors: [] as Error[], isClosed: false }
  socket.on('data', (chunk: Buffer) => (client.received += chunk.toString('latin1')))
  socket.on('error', (error) => client.errors.push(error))
  socket.on('close', () => (client.isClosed = true))
  socket.write(text)
  return client
}

const countConnections = () => promisify(product.app.server.getConnections.bind(product.app.server))()

const soon = { timeout: 20_000 }

test.each([
  ['413', 'a body that is too large', () => [`authorization: ${admin.headers.authorization}`]],
  ['401', 'a body without a token, on a connection for one request', () => ['connection: close']],
])('after the early answer %s to %s, the rest can be sent', async (status, _, headers) => {
  const client = connectClient(post(...headers()))
  await expect.poll(() => client.received, soon).toMatch(`HTTP/1.1 ${status} `)
  // The operating system holds less than this, so the server has to read it.
  client.socket.end(Buffer.alloc(bytes, ' '))
  await expect.poll(() => client.isClosed, soon).toBe(true)
  expect(client.errors).toEqual([])
  expect(client.received.match(/HTTP/g)).toHaveLength(1)
})

test('a client that does not send the rest of a refused body is disconnected', async () => {
  const client = connectClient(post('connection: close'))
  await expect.poll(() => client.received, soon).toMatch('HTTP/1.1 401 ')
  // It does not end the connection itself.
  await expect.poll(() => client.socket.readableEnded, soon).toBe(true)
  await expect.poll(countConnections, soon).toBe(0)
})
