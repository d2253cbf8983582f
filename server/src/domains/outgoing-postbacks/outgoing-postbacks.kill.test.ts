import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBuyer, type Buyer } from '../../../test/buyer.ts'
import { startWorker } from '../../../test/worker.ts'

const leads = 60
const sourceStatuses = ['sent', 'sold', 'returned'] as const
const columns = ['send', 'sold', 'returned']

let buyer: Buyer
let senders: NodeProcess[] = []
beforeAll(async () => {
  buyer = await openBuyer()
})
beforeEach(async () => {
  await buyer.product.deps.pool.query('delete from outgoing_postbacks')
  await buyer.newStream()
  await buyer.addTemplate('/?id={lead_id}&s={status}')
  for (const [hour, status] of sourceStatuses.entries())
    await buyer.ingest(
      ...Array.from({ length: leads }, (_, n) => ({
        external_id: String(n),
        source_status: status === 'returned' ? 'client_returned' : status,
        updated_at: `2026-11-20T1${hour}:00:00Z`,
      })),
    )
})
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.kill()
})
afterAll(() => buyer.close())

function start(): NodeProcess {
  const sender = startWorker('postback-sender', buyer.product)
  senders.push(sender)
  return sender
}

/** The received states of each lead, in order. */
function receivedByLead(): Map<string, string[]> {
  const by = new Map<string, string[]>()
  for (const { params } of buyer.tracker.requests.filter(({ isCounted }) => isCounted)) {
    const id = params['id'] ?? ''
    by.set(id, [...(by.get(id) ?? []), params['s'] ?? ''])
  }
  return by
}

const allSent = async () => {
  await expect
    .poll(
      async () => {
        const { rows } = await buyer.product.deps.pool.query<{ n: number }>(
          `select count(*) as n from outgoing_postbacks where status <> 'sent'`,
        )
        return rows[0]?.n
      },
      { interval: 100 },
    )
    .toBe(0)
}

test('two processes send each change once, in the order of the changes', async () => {
  start()
  start()
  await allSent()
  expect([...receivedByLead().values()]).toEqual(Array.from({ length: leads }, () => columns))
})

test('a killed process loses no postback and repeats at most those that it was sending', async () => {
  buyer.tracker.mode = 'slow'
  buyer.tracker.delay = 30
  const kills = 4
  for (let kill = 1; kill <= kills; kill += 1) {
    const sender = start()
    await expect.poll(() => buyer.tracker.requests.length, { interval: 5 }).toBeGreaterThan(kill * 20)
    await sender.kill()
    // Ends leases and waits, so that the test does not wait for them.
    await buyer.product.deps.pool.query('update outgoing_postbacks set leased_until = null')
  }
  start()
  await allSent()
  const received = [...receivedByLead().values()]
  expect(received).toHaveLength(leads)
  // A repeat directly follows the original.
  for (const states of received) expect(states.filter((state, i) => state !== states[i - 1])).toEqual(columns)
  const repeats = received.reduce((sum, states) => sum + states.length - columns.length, 0)
  expect(repeats).toBeLessThanOrEqual(kills * 16)
})
