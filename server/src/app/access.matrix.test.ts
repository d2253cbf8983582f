import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkMalformedRequests, checkMatrix } from '../../test/access.cells.ts'
import { checkHostileRequests } from '../../test/access.hostile.ts'
import { operations, tableProblems } from '../../test/access.operations.ts'
import { openAccessProduct } from '../../test/access.product.ts'

// Thousands of requests take some seconds even on an idle machine.
const timeLimit = { timeout: 240_000 }
let product: Awaited<ReturnType<typeof openAccessProduct>>

beforeAll(async () => {
  product = await openAccessProduct()
})
afterAll(() => product.close())

test('every operation has a row in the access table, and every row is an operation', () => {
  expect(tableProblems).toEqual([])
})

test(
  'every operation admits the callers of the access table and answers all others 401 or 403',
  timeLimit,
  async () => {
    const { cells, failures } = await checkMatrix(product.send, product.callers)
    expect(failures).toEqual([])
    expect(cells).toBe(operations.length * 9)
  },
)

test('a caller without access gets 401 or 403 for a malformed request too', timeLimit, async () => {
  const selectedCallers = product.callers.filter(({ name }) =>
    ['anonymous', 'deactivated', 'regular'].includes(name),
  )
  const { cells, failures } = await checkMalformedRequests(product.send, selectedCallers)
  expect(failures).toEqual([])
  expect(cells).toBeGreaterThan(operations.length * 3)
})

test(
  'a hostile request of a caller with access gets an answer or an error with a code',
  timeLimit,
  async () => {
    const selectedCallers = product.callers.filter(({ name }) =>
      ['anonymous', 'regular', 'admin'].includes(name),
    )
    const { cells, failures } = await checkHostileRequests(product.send, selectedCallers, 'matrix-other')
    expect(failures).toEqual([])
    expect(cells).toBeGreaterThan(operations.length * 5)
  },
)
