import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { openPool } from '../../platform/database/pool.ts'
import { acquireChat } from './telegram.chats.ts'

let intake: LeadDatabase
/** The pool of another process. */
let other: LeadDatabase['pool']

beforeAll(async () => {
  intake = await openLeadDatabase()
  other = openPool(intake.pool.options.connectionString ?? '', { timezone: 'Asia/Tashkent', max: 4 })
})
beforeEach(async () => {
  await intake.pool.query('delete from telegram_chats')
})
afterAll(async () => {
  await other.end()
  await intake.close()
})

const quiet = new AbortController().signal

test('two to one chat are interval, whichever process sends; another chat does not wait', async () => {
  const rate = { interval: 300, perMinute: 20 }
  const started = performance.now()
  for (let n = 0; n < 4; n += 1) {
    expect(await acquireChat(n % 2 === 0 ? intake.pool : other, '501', rate, quiet)).toBe(0)
    expect(performance.now() - started).toBeGreaterThanOrEqual(n * 300 - 5)
    expect(await acquireChat(intake.pool, `chat ${n}`, { ...rate, interval: 60_000 }, quiet)).toBe(0)
  }
})

test('a turn that is far off is not waited for, nor one that somebody gave up', async () => {
  const rate = { interval: 60_000, perMinute: 20 }
  expect(await acquireChat(intake.pool, '501', rate, quiet)).toBe(0)
  expect(await acquireChat(intake.pool, '501', rate, quiet)).toBeGreaterThan(1.5)
  await acquireChat(intake.pool, '502', { ...rate, interval: 1200 }, quiet)
  const given = AbortSignal.abort()
  expect(await acquireChat(intake.pool, '502', { ...rate, interval: 1200 }, given)).toBeGreaterThan(0)
})

test('a group has 20 within any minute, a person’s own chat has no such end', async () => {
  const rate = { interval: 0, perMinute: 20 }
  const pools = [intake.pool, other]
  const ask = async (chat: string, n: number) =>
    Promise.all(Array.from({ length: n }, (_, i) => acquireChat(pools[i % 2] ?? other, chat, rate, quiet)))
  for (const chat of ['-100123', '@karvon']) {
    const waits = await ask(chat, 30)
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20)
    for (const wait of waits.filter((each) => each !== 0)) expect(wait).toBeGreaterThan(30)
    // A minute after the first ten, ten are free.
    await intake.pool.query(
      `update telegram_chats set turns =
         array(select case when n <= 10 then t - interval '1 minute' else t end
           from unnest(turns) with ordinality u (t, n))
       where configured = $1`,
      [chat],
    )
    expect((await ask(chat, 15)).filter((wait) => wait === 0)).toHaveLength(10)
  }
  expect((await ask('501', 30)).filter((wait) => wait !== 0)).toEqual([])
})
