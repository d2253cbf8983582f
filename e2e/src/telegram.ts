import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { startTestProduct, type Product } from './product.ts'
import { test as base } from './test.ts'

const token = '123:abc'

/** Tests with a product that has a bot and a chat. */
export const test = base.extend<object, { telegram: FakeTelegram; product: Product }>({
  telegram: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const telegram = await startTelegram(token)
      await use(telegram)
      await telegram.close()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ telegram }, use) => {
      const product = await startTestProduct({
        KARVON_TELEGRAM_ROOT: telegram.root,
        KARVON_TELEGRAM_TOKEN: token,
        KARVON_TELEGRAM_CHAT: '-1001',
      })
      await use(product)
      await product.stopAndRemove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
