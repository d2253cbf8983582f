import { selectCount } from '@karvon/testkit/extent.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createBotFixture } from '../../test/bot.ts'
import { startWorker } from '../../test/worker.ts'

const kills = selectCount({ short: 4, long: 8 })

const { telegram, product, query, reset, close } = await createBotFixture()
/** Workers are started in advance, because the start takes long. */
const workers: Promise<NodeProcess>[] = []
afterEach(async () => {
  for (const worker of workers.splice(0)) await (await worker).kill()
})
afterAll(close)

async function start(): Promise<NodeProcess> {
  const env = { KARVON_TELEGRAM_TOKEN: '1:token', KARVON_TELEGRAM_ROOT: telegram.root }
  const worker = startWorker('bot-worker', product, env)
  await worker.waitFor(/ready/)
  return worker
}

test('no message gets two replies or stays unhandled through kills of the bot', async () => {
  await reset()
  workers.push(start())
  let questionCount = 0
  for (let n = 0; n < kills; n += 1) {
    workers.push(start())
    const worker = (await workers.shift()) as NodeProcess
    for (let i = 0; i < 10; i += 1) {
      questionCount += 1
      telegram.write(10_000 + questionCount, `/start question${questionCount}`)
    }
    const before = telegram.messages.length
    worker.write('go\n')
    while (telegram.messages.length === before) await sleep(2)
    await sleep((n * 7) % 40)
    await worker.kill()
  }
  const last = (await workers.shift()) as NodeProcess
  workers.push(Promise.resolve(last))
  telegram.write(501, '/help')
  last.write('go\n')
  while (!telegram.messages.some(({ chat }) => chat === '501')) await sleep(10)
  const chats = telegram.messages.map(({ chat }) => chat)
  expect(chats.filter((chat, i) => chats.indexOf(chat) !== i)).toEqual([])
  // A kill between the commit and the reply loses this one reply.
  expect(chats.length).toBeGreaterThanOrEqual(questionCount + 1 - kills)
  expect(await query('select next_update from telegram_bots')).toEqual([
    { next_update: 100 + questionCount + 1 },
  ])
})
