import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCallers, type Caller } from '../../test/access.callers.ts'
import { checkMalformedRequests, checkMatrix } from '../../test/access.cells.ts'
import { checkHostileRequests } from '../../test/access.hostile.ts'
import { operations, tableProblems } from '../../test/access.operations.ts'
import { openSender } from '../../test/access.send.ts'
import { createTestApp, firstAdmin, type Product } from '../../test/app.ts'

// Thousands of requests take some seconds even on an idle machine.
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
  callers = await createCallers({ send: sender.send, admin: firstAdmin, query })
})
afterAll(async () => {
  sender.close()
  await product.close()
})

test('every operation has a row in the access table, and every row is an operation', () => {
  expect(tableProblems).toEqual([])
})

test(
  'every operation admits the callers of the access table and answers all others 401 or 403',
  patient,
  async () => {
    const { cells, failures } = await checkMatrix(sender.send, callers)
    expect(failures).toEqual([])
    expect(cells).toBe(operations.length * 9)
  },
)

test('a caller without access gets 401 or 403 for a malformed request too', patient, async () => {
  const selectedCallers = callers.filter(({ name }) => ['anonymous', 'deactivated', 'regular'].includes(name))
  const { cells, failures } = await checkMalformedRequests(sender.send, selectedCallers)
  expect(failures).toEqual([])
  expect(cells).toBeGreaterThan(operations.length * 3)
})

test(
  'a hostile request of a caller with access gets an answer or an error with a code',
  patient,
  async () => {
    const selectedCallers = callers.filter(({ name }) => ['anonymous', 'regular', 'admin'].includes(name))
    const { cells, failures } = await checkHostileRequests(sender.send, selectedCallers, 'matrix-other')
    expect(failures).toEqual([])
    expect(cells).toBeGreaterThan(operations.length * 5)
  },
)
