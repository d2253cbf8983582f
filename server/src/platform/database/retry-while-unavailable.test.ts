import { expect, test } from 'vitest'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

const createUnavailableError = () =>
  Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })

/** Work that fails with these errors in turn and then succeeds. */
function createFailingWork(...errors: Error[]) {
  let attempts = 0
  const work = async () => {
    attempts += 1
    const error = errors.shift()
    if (error !== undefined) throw error
    return attempts
  }
  return work
}

test('the work is retried until the database is back', async () => {
  expect(
    await retryWhileUnavailable(createFailingWork(createUnavailableError(), createUnavailableError())),
  ).toBe(3)
})

test('a refusal of the database is not retried', async () => {
  const work = createFailingWork(new Error('No such column'), createUnavailableError())
  await expect(retryWhileUnavailable(work)).rejects.toThrow('No such column')
})
