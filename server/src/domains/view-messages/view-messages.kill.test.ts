import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { startWorker } from '../../../test/worker.ts'

const kills = 3
const views = 8

let telegram: FakeTelegram
let product: Product
let worker: NodeProcess | undefined
beforeAll(async () => {
  telegram = await startTelegram('1:token')
  product = await createTestApp()
})
afterEach(async () => {
  await worker?.kill()
})
afterAll(async () => {
  await product.close()
  await telegram.close()
})

const query = async <Row>(text: string) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text)).rows

async function start(): Promise<void> {
  worker = startWorker('view-worker', product, {
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  await worker.waitFor(/ready/)
}

test('kills (-9) lose no part of a scheduled view, and repeat at most the part that was being sent', async () => {
  await query(`insert into telegram_links (user_id, chat_id) select id, '501' from users`)
  await query(`insert into saved_views (user_id, name, screen, address)
      select u.id, 'View ' || n, screen, screen from users u, generate_series(1, ${views}) n,
        lateral (select case when n % 2 = 0 then '/explore' else '/leads' end as screen) screens`)
  await query(`insert into view_schedules (view_id, channel, time, weekdays, includes_roles, is_active, next_at)
      select id, 'telegram', (now() - interval '1 minute')::time, '{1,2,3,4,5,6,7}', false, true, now() - interval '1 minute'
      from saved_views`)
  telegram.mode = 'slow'
  telegram.delay = 60
  for (let round = 0; round < kills; round += 1) {
    await start()
    const before = telegram.calls
    await expect.poll(() => telegram.calls, { interval: 5 }).toBeGreaterThan(before)
    // The kill happens while a part is on its way, or between two parts.
    await sleep(round * 37)
    await worker?.kill()
    await query(`update view_messages set leased_until = now() where leased_until > now()`)
  }
  telegram.mode = 'ok'
  await start()
  const readSentMessages = () => query(`select 1 from view_messages where status = 'sent'`)
  await expect.poll(async () => (await readSentMessages()).length, { interval: 50 }).toBe(views)
  const texts = telegram.messages.map(({ text }) => text.split('\n')[0])
  for (let n = 1; n <= views; n += 1) expect(texts, `view ${n}`).toContain(`View ${n}`)
  expect(telegram.sent.length).toBeGreaterThanOrEqual(views)
  expect(texts.length + telegram.sent.length).toBeLessThanOrEqual(views * 2 + kills)
  const rows = await query<{ n: number }>('select count(*) as n from view_messages')
  expect(rows[0]?.n).toBe(views)
})
