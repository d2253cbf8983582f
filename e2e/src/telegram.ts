import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { startDesk, type Desk } from './desk.ts'
import { test as base } from './test.ts'

const token = '123:abc'

/** Journeys on a desk with a bot and a chat of its own. */
export const test = base.extend<object, { telegram: FakeTelegram; desk: Desk }>({
  telegram: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const telegram = await startTelegram(token)
      await use(telegram)
      await telegram.close()
    },
    { scope: 'worker' },
  ],
  desk: [
    async ({ telegram }, use) => {
      const desk = await startDesk({
        KARVON_TELEGRAM_ROOT: telegram.root,
        KARVON_TELEGRAM_TOKEN: token,
        KARVON_TELEGRAM_CHAT: '-1001',
      })
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
