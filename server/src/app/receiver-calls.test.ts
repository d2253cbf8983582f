import { countUnreadAlerts } from '@karvon/contract/alerts/unread.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product } from '../../test/app.ts'
import { readId } from '../../test/people.ts'
import { createReceiverCalls } from './receiver-calls.ts'

let product: Product
let adminId: number

beforeAll(async () => {
  product = await createTestApp()
  adminId = await readId(product.app, await signInAdmin(product.app), '/api/admin/users/?username=admin')
})
afterAll(() => product.close())

test('calls are made after an attempt to open their app that failed', async () => {
  let failures = 1
  const deps = {
    ...product.deps,
    get log() {
      failures -= 1
      if (failures >= 0) throw new Error('The app did not become ready')
      return product.deps.log
    },
  }
  const calls = createReceiverCalls(deps)
  const read = () => calls.read({ userId: adminId, call: countUnreadAlerts, query: {} })
  await expect(read()).rejects.toThrow('did not become ready')
  expect(await read()).toEqual({ unread: 0 })
})
