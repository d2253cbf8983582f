import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { openPool } from '../../platform/database/pool.ts'
import { acquireChat } from './telegram.chats.queries.ts'

let intake: LeadDatabase
/** The pool of another process. */
let otherPool: LeadDatabase['pool']

beforeAll(async () => {
  intake = await openLeadDatabase()
  otherPool = openPool(intake.url, { timezone: 'Asia/Tashkent', max: 4 })
})
beforeEach(async () => {
  await intake.pool.query('delete from telegram_chats')
})
afterAll(async () => {
  await otherPool.end()
  await intake.close()
})

const quiet = new AbortController().signal

test('messages to one chat keep the interval across processes, and other chats do not wait', async () => {
  const rate = { interval: 300, perMinute: 20 }
  const startTime = performance.now()
  for (let n = 0; n < 4; n += 1) {
    expect(
      await acquireChat(n % 2 === 0 ? intake.pool : otherPool, { chat: '501', rate, signal: quiet }),
    ).toBe(0)
    expect(performance.now() - startTime).toBeGreaterThanOrEqual(n * 300 - 5)
    expect(
      await acquireChat(intake.pool, {
        chat: `chat ${n}`,
        rate: { ...rate, interval: 60_000 },
        signal: quiet,
      }),
    ).toBe(0)
  }
})

test('a permit that is far away is not awaited, and a cancelled wait ends', async () => {
  const rate = { interval: 60_000, perMinute: 20 }
  expect(await acquireChat(intake.pool, { chat: '501', rate, signal: quiet })).toBe(0)
  expect(await acquireChat(intake.pool, { chat: '501', rate, signal: quiet })).toBeGreaterThan(1.5)
  await acquireChat(intake.pool, { chat: '502', rate: { ...rate, interval: 1200 }, signal: quiet })
  const abortedSignal = AbortSignal.abort()
  expect(
    await acquireChat(intake.pool, { chat: '502', rate: { ...rate, interval: 1200 }, signal: abortedSignal }),
  ).toBeGreaterThan(0)
})

test('a group gets at most 20 messages in any minute, and a private chat has no such limit', async () => {
  const rate = { interval: 0, perMinute: 20 }
  const pools = [intake.pool, otherPool]
  const ask = async (chat: string, n: number) =>
    Promise.all(
      Array.from({ length: n }, (_, i) =>
        acquireChat(pools[i % 2] ?? otherPool, { chat, rate, signal: quiet }),
      ),
    )
  for (const chat of ['-100123', '@karvon']) {
    const waits = await ask(chat, 30)
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20)
    for (const wait of waits.filter((time) => time !== 0)) expect(wait).toBeGreaterThan(30)
    // A minute after the first ten, ten are free.
    await intake.pool.query(
      `update telegram_chats set sent_times =
         array(select case when n <= 10 then t - interval '1 minute' else t end
           from unnest(sent_times) with ordinality u (t, n))
       where configured = $1`,
      [chat],
    )
    expect((await ask(chat, 15)).filter((wait) => wait === 0)).toHaveLength(10)
  }
  expect((await ask('501', 30)).filter((wait) => wait !== 0)).toEqual([])
})
