import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBuyer, type Buyer } from '../../../test/buyer.ts'
import { outgoingPostbacksJob } from './outgoing-postbacks.job.ts'

let buyer: Buyer
beforeAll(async () => {
  buyer = await openBuyer()
  await buyer.newStream()
})
afterAll(() => buyer.close())

test('a silent tracker with many templates delays no other tracker', async () => {
  for (let n = 0; n < 5; n += 1) await buyer.addTemplate(`/hang${n}?id={lead_id}`)
  await buyer.addTemplate('', { url: `${buyer.otherTracker.url}/fine?id={lead_id}` })
  buyer.tracker.mode = 'hang'
  const ids = Array.from({ length: 30 }, (_, n) => ({ external_id: String(n), source_status: 'sold' }))
  await buyer.ingest(...ids)
  const stopping = new AbortController()
  const running = outgoingPostbacksJob(buyer.product.deps).run(stopping.signal)
  await expect.poll(() => buyer.otherTracker.requests.length).toBe(30)
  const givenUp = (await buyer.log('status=queued')).filter(({ attempts }) => attempts === 1)
  expect(givenUp, 'the hanging ones are still waited for').toEqual([])
  stopping.abort()
  await running
})
