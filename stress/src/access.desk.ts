import pg from 'pg'
import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { admin, newFolder, startProduct, type Product } from './product.ts'

/** Some processes of the product on one PostgreSQL, and a way into that beside them. */
export interface AccessDesk extends AsyncDisposable {
  processes: Product[]
  admin: typeof admin
  query: (text: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>
}

/** `count` processes that answer calls; `env` adds to the settings of each. */
export async function openAccessDesk(count: number, env: Record<string, string> = {}): Promise<AccessDesk> {
  const undo = new AsyncDisposableStack()
  try {
    const data = undo.use(await newFolder())
    const database = await startEmbedded({ folder: data.path, log: () => {}, settings: { fsync: 'off' } })
    undo.defer(() => database.stop())
    const processes: Product[] = []
    for (let made = 0; made < count; made += 1) {
      const own = undo.use(await newFolder())
      const settings = {
        DATABASE_URL: database.url,
        KARVON_SECRET_KEY: '07'.repeat(32),
        KARVON_PROCESS: 'web',
      }
      const product = await startProduct(own.path, { ...settings, ...env })
      undo.defer(() => product.stop())
      processes.push(product)
    }
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    undo.defer(() => client.end())
    const held = undo.move()
    return {
      processes,
      admin,
      query: (text, values) => client.query<Record<string, unknown>>(text, values),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    }
  } finally {
    await undo.disposeAsync()
  }
}
