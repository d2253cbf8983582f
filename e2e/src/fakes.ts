import { startMeasoft, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { createStreams, ScriptedStore } from '@karvon/testkit/fakes/network.store.ts'
import { startNetwork, type FakeNetwork } from '@karvon/testkit/fakes/network.ts'
import { startTestProduct, type Product } from './product.ts'
import { test as base } from './test.ts'

/** The accounts that the fakes accept. */
export const networkLogin = { login: 'aziz@desk.uz', pass: 'sirli so‘z' }
export const courierLogin = { extra: '8', login: 'karvon', pass: 'parol' }

interface Fakes {
  network: FakeNetwork
  courier: FakeMeasoft
}

/** Tests with a fake network and a fake courier that the product may call. */
export const test = base.extend<object, { fakes: Fakes; product: Product }>({
  fakes: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const store = new ScriptedStore(createStreams(50, ['Reels', 'TikTok', 'Telegram']), () => 0.3)
      store.addOrders(60, Date.now() - 2 * 24 * 3_600_000)
      store.advanceOrders(90, Date.now() - 24 * 3_600_000)
      const network = await startNetwork({ dialect: '100k', store, ...networkLogin, pageSize: 25 })
      const courier = await startMeasoft(courierLogin)
      await use({ network, courier })
      await network.close()
      await courier.close()
    },
    { scope: 'worker' },
  ],
  // The product may call both, although they are on this machine.
  product: [
    async ({ fakes: { network, courier } }, use) => {
      const allowedHosts = [network.url, courier.url].map((url) => new URL(url).host)
      const product = await startTestProduct({ KARVON_OUTBOUND_ALLOW: allowedHosts.join(',') })
      await use(product)
      await product.stopAndRemove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
