import { startMeasoft, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { createTestApp, signInAdmin, type Product, type Session } from './app.ts'
import { createRow, readOwnId } from './people.ts'

/** A product that may call a fake courier. */
export interface CourierFixture {
  product: Product
  admin: Session
  fakeCourier: FakeMeasoft
  /** Creates an account at the fake courier, by default of the admin. Returns its id. */
  createAccount(changes?: { name?: string; pass?: string; user_id?: number }): Promise<number>
  close(): Promise<void>
}

export async function createCourierFixture(pass = 'secret'): Promise<CourierFixture> {
  const login = { extra: '8', login: 'karvon', pass }
  const fakeCourier = await startMeasoft(login)
  const product = await createTestApp({ KARVON_OUTBOUND_ALLOW: new URL(fakeCourier.url).host })
  const admin = await signInAdmin(product.app)
  const user_id = await readOwnId(product.app, admin)
  const defaults = { name: 'MeaSoft', url: fakeCourier.url, ...login, user_id }
  return {
    product,
    admin,
    fakeCourier,
    createAccount: (changes) =>
      createRow(product.app, admin, '/api/admin/courier-accounts/', { ...defaults, ...changes }),
    close: async () => {
      await product.close()
      await fakeCourier.close()
    },
  }
}
