import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PoolClient } from 'pg'
import { createTestApp, type Product } from '../../../test/app.ts'

const lines: string[] = []
let product: Product
const heldClients: PoolClient[] = []

beforeAll(async () => {
  product = await createTestApp({ KARVON_LOG: 'info' }, {}, { write: (line) => lines.push(line) })
  const { pool } = product.deps
  while (pool.totalCount < 10 || pool.idleCount > 0) heldClients.push(await pool.connect())
})
afterAll(async () => {
  for (const client of heldClients) client.release()
  await product.close()
})

test('many equal refusals are logged once, without a stack', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 2000 }, async (_, n) => {
      const remoteAddress = `10.1.${n >> 8}.${n & 255}`
      return (await product.app.inject({ url: '/api/postback/nobody', remoteAddress })).statusCode
    }),
  )
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(900)
  const busyLines = lines.filter((line) => line.includes('The server is busy'))
  expect(busyLines).toHaveLength(1)
  expect(busyLines[0]).not.toContain('stack')
  expect(lines.join('').length).toBeLessThan(20_000)
})
