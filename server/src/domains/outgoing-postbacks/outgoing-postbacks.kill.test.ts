import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBuyer, type Buyer } from '../../../test/buyer.ts'

const program = fileURLToPath(new URL('../../../test/postback-sender.ts', import.meta.url))
const leads = 60
const words = ['sent', 'sold', 'returned'] as const
const columns = ['send', 'sold', 'returned']

let buyer: Buyer
let senders: ChildProcess[] = []
beforeAll(async () => {
  buyer = await openBuyer()
})
beforeEach(async () => {
  await buyer.product.deps.pool.query('delete from outgoing_postbacks')
  await buyer.newStream()
  await buyer.template('/?id={lead_id}&s={status}')
  for (const [hour, word] of words.entries())
    await buyer.tell(
      ...Array.from({ length: leads }, (_, n) => ({
        external_id: String(n),
        source_status: word === 'returned' ? 'client_returned' : word,
        updated_at: `2026-11-20T1${hour}:00:00Z`,
      })),
    )
})
afterEach(async () => {
  for (const each of senders.splice(0)) await killed(each)
})
afterAll(() => buyer.close())

function start(): ChildProcess {
  const { databaseUrl, deps } = buyer.product
  const child = spawn(process.execPath, [program, databaseUrl], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: {
      ...process.env,
      KARVON_OUTBOUND_ALLOW: deps.config.outboundAllow.join(),
      KARVON_DATA: deps.config.dataFolder,
      KARVON_TIMEZONE: deps.config.timeZone,
    },
  })
  senders.push(child)
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** What arrived of each lead, in order. */
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
      { timeout: 45_000, interval: 100 },
    )
    .toBe(0)
}

test('two processes send each change once, in the order of the changes', { timeout: 60_000 }, async () => {
  start()
  start()
  await allSent()
  expect([...receivedByLead().values()]).toEqual(Array.from({ length: leads }, () => columns))
})

test(
  'a process killed at any moment loses nothing and repeats no more than it had under way',
  {
    timeout: 90_000,
  },
  async () => {
    buyer.tracker.mode = 'slow'
    buyer.tracker.delay = 30
    const kills = 4
    for (let kill = 1; kill <= kills; kill += 1) {
      const child = start()
      await expect
        .poll(() => buyer.tracker.requests.length, { timeout: 20_000, interval: 5 })
        .toBeGreaterThan(kill * 20)
      await killed(child)
      // Rather than wait until they are over.
      await buyer.product.deps.pool.query('update outgoing_postbacks set leased_until = null')
    }
    start()
    await allSent()
    const received = [...receivedByLead().values()]
    expect(received).toHaveLength(leads)
    // A repeat stands right behind what it repeats.
    for (const each of received) expect(each.filter((state, i) => state !== each[i - 1])).toEqual(columns)
    const repeats = received.reduce((sum, each) => sum + each.length - columns.length, 0)
    expect(repeats).toBeLessThanOrEqual(kills * 16)
  },
)
