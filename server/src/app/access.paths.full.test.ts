import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPaths } from '../../test/access.paths.ts'
import { openAccessProduct } from '../../test/access.product.ts'

// Thousands of requests take some seconds even on an idle machine.
const timeLimit = { timeout: 240_000 }
let product: Awaited<ReturnType<typeof openAccessProduct>>

beforeAll(async () => {
  product = await openAccessProduct({ KARVON_CORS_ORIGINS: 'https://desk.example.uz' })
})
afterAll(() => product.close())

test('a path in another spelling has the same guard', timeLimit, async () => {
  const selectedCallers = product.callers.filter(({ name }) => ['anonymous', 'regular'].includes(name))
  const { cells, failures } = await checkPaths(product.send, selectedCallers)
  expect(failures).toEqual([])
  expect(cells).toBeGreaterThan(5000)
})

test('a path with and without its trailing slash gets the same refusal', async () => {
  for (const target of ['/api/admin/users', '/api/admin/users/', '/api/user/leads', '/api/user/leads/']) {
    const answer = await product.send({ method: 'GET', target })
    expect([target, answer.status]).toEqual([target, 401])
  }
})
