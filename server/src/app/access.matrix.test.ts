import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCallers, type Caller } from '../../test/access.callers.ts'
import { brokenCells, matrixCells } from '../../test/access.cells.ts'
import { operations, unlisted } from '../../test/access.operations.ts'
import { openSender } from '../../test/access.send.ts'
import { createTestApp, firstAdmin, type Product } from '../../test/app.ts'

// Thousands of requests, which take some seconds where nothing else runs.
const patient = { timeout: 240_000 }
let product: Product
let sender: ReturnType<typeof openSender>
let callers: Caller[]

beforeAll(async () => {
  product = await createTestApp()
  await product.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = product.app.server.address() as AddressInfo
  sender = openSender(`http://127.0.0.1:${port}`)
  const query = (text: string, values: unknown[]) => product.deps.pool.query(text, values)
  callers = await makeCallers({ send: sender.send, admin: firstAdmin, query })
})
afterAll(async () => {
  sender.close()
  await product.close()
})

test('every operation has a row of who may use it, and every row is an operation', () => {
  expect(unlisted).toEqual([])
})

test('every operation lets in whom it should, and answers all others 401 or 403', patient, async () => {
  const { cells, wrong } = await matrixCells(sender.send, callers)
  expect(wrong).toEqual([])
  expect(cells).toBe(operations.length * 9)
})

test('who may not call learns nothing else of a broken request', patient, async () => {
  const tried = callers.filter(({ name }) => ['anonymous', 'deactivated', 'regular'].includes(name))
  const { cells, wrong } = await brokenCells(sender.send, tried)
  expect(wrong).toEqual([])
  expect(cells).toBeGreaterThan(operations.length * 3)
})
