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

test('a payout of JSON may have the error of double numbers, and no further decimals', async () => {
  const post = (payout: number) =>
    network.send('POST', '', 'application/json', JSON.stringify({ tid: '1', status: 'sold', payout }))
  expect(await post(0.1 + 0.2)).toMatchObject({ status: 200, body: { outcome: 'created' } })
  expect(await network.lead('1')).toMatchObject({ payout: 0.3 })
  expect(await post(1.005)).toMatchObject({ status: 422, body: { reason: 'bad_value' } })
  expect(await post(9_999_999_999_999.99)).toMatchObject({ status: 200, body: { outcome: 'updated' } })
  expect(await network.lead('1')).toMatchObject({ payout: 9_999_999_999_999.99 })
})
