import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPostbacks, type Postbacks } from '../../../test/postbacks.ts'

let network: Postbacks

beforeAll(async () => {
  network = await openPostbacks()
})
beforeEach(() => network.newSource())
afterAll(() => network.close())

test('a currency without a payout is not that of the stored payout', async () => {
  await network.get({ tid: '1', status: 'hold', payout: '45000', currency: 'UZS' })
  expect((await network.get({ tid: '1', status: 'hold', currency: 'USD' })).body).toMatchObject({
    outcome: 'unchanged',
    reason: 'duplicate',
  })
  await network.get({ tid: '1', status: 'sold', currency: 'USD' })
  expect(await network.lead('1')).toMatchObject({ source_status: 'sold', payout: 45_000, currency: 'UZS' })
  await network.get({ tid: '1', status: 'sold', payout: '4', currency: 'USD' })
  expect(await network.lead('1')).toMatchObject({ payout: 4, currency: 'USD' })
})

test('a currency without a payout is that of a lead without money', async () => {
  await network.get({ tid: '1', status: 'hold' })
  await network.get({ tid: '1', status: 'accepted', currency: 'USD' })
  await network.get({ tid: '1', status: 'sold', payout: '4' })
  expect(await network.lead('1')).toMatchObject({ payout: 4, currency: 'USD' })
})
