import { expect, test } from 'vitest'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

const away = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })

/** Work that fails with these errors in turn and then succeeds. */
function failing(...errors: Error[]) {
  let tries = 0
  const work = async () => {
    tries += 1
    const error = errors.shift()
    if (error !== undefined) throw error
    return tries
  }
  return work
}

test('the work is retried until the database is back', async () => {
  expect(await retryWhileUnavailable(failing(away(), away()))).toBe(3)
})

test('a refusal of the database is not retried', async () => {
  const work = failing(new Error('No such column'), away())
  await expect(retryWhileUnavailable(work)).rejects.toThrow('No such column')
})
