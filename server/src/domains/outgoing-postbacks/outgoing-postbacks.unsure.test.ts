import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBuyer, type Buyer } from '../../../test/buyer.ts'

let buyer: Buyer
beforeAll(async () => {
  buyer = await openBuyer()
  await buyer.newStream()
})
afterAll(() => buyer.close())

test('a URL is sent again after a later one that was given up and may have arrived', async () => {
  await buyer.addTemplate('/?s={status}')
  const report = (hour: number, source_status: string) =>
    buyer.ingest({ external_id: '1', source_status, updated_at: `2026-11-20T0${hour}:00:00+05:00` })
  await report(1, 'sold')
  await buyer.runJob()
  await report(2, 'cancelled')
  buyer.tracker.mode = 'lost'
  for (let attempt = 0; attempt < 10; attempt += 1) await buyer.runJob()
  buyer.tracker.mode = 'ok'
  await report(3, 'sold')
  await buyer.runJob()
  const rows = await buyer.log()
  expect(rows.map(({ source_status, status }) => [source_status, status])).toEqual([
    ['sold', 'sent'],
    ['cancelled', 'refused'],
    ['sold', 'sent'],
  ])
  expect(buyer.tracker.requests.at(-1)?.params).toEqual({ s: 'sold' })
})
