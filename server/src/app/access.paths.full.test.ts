import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCallers, type Caller } from '../../test/access.callers.ts'
import { checkPaths } from '../../test/access.paths.ts'
import { openSender } from '../../test/access.send.ts'
import { createTestApp, firstAdmin, type Product } from '../../test/app.ts'

// Thousands of requests take some seconds even on an idle machine.
const patient = { timeout: 240_000 }
let product: Product
let sender: ReturnType<typeof openSender>
let callers: Caller[]

beforeAll(async () => {
  product = await createTestApp({ KARVON_CORS_ORIGINS: 'https://desk.example.uz' })
  await product.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = product.app.server.address() as AddressInfo
  sender = openSender(`http://127.0.0.1:${port}`)
  const query = (text: string, values: unknown[]) => product.deps.pool.query(text, values)
  callers = await createCallers({ send: sender.send, admin: firstAdmin, query })
})
afterAll(async () => {
  sender.close()
  await product.close()
})

test('a path in another spelling has the same guard', patient, async () => {
  const selectedCallers = callers.filter(({ name }) => ['anonymous', 'regular'].includes(name))
  const { cells, failures } = await checkPaths(sender.send, selectedCallers)
  expect(failures).toEqual([])
  expect(cells).toBeGreaterThan(5000)
})

test('a path with and without its trailing slash gets the same refusal', async () => {
  for (const target of ['/api/admin/users', '/api/admin/users/', '/api/user/leads', '/api/user/leads/']) {
    const answer = await sender.send({ method: 'GET', target })
    expect([target, answer.status]).toEqual([target, 401])
  }
})
