import pg from 'pg'
import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { admin, createFolder, startProduct } from './product.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'

/** Processes of the product on one PostgreSQL, and a query function for that database. */
export interface ProductProcesses extends AsyncDisposable {
  processes: NodeProcess[]
  admin: typeof admin
  query: (text: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>
}

/** Starts `count` web processes. `env` adds to the settings of each. */
export async function startProcesses(
  count: number,
  env: Record<string, string> = {},
): Promise<ProductProcesses> {
  const cleanup = new AsyncDisposableStack()
  try {
    const data = cleanup.use(await createFolder())
    const database = await startEmbedded({ folder: data.path, log: () => {}, settings: { fsync: 'off' } })
    cleanup.defer(() => database.stop())
    // The processes of an installation share one data folder.
    const sharedFolder = cleanup.use(await createFolder())
    const processes: NodeProcess[] = []
    for (let index = 0; index < count; index += 1) {
      const settings = {
        DATABASE_URL: database.url,
        KARVON_SECRET_KEY: '07'.repeat(32),
        KARVON_PROCESS: 'web',
        KARVON_DRAIN_SECONDS: '0',
      }
      const product = await startProduct(sharedFolder.path, { ...settings, ...env })
      cleanup.defer(() => product.stop())
      processes.push(product)
    }
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    cleanup.defer(() => client.end())
    const resources = cleanup.move()
    return {
      processes,
      admin,
      query: (text, values) => client.query<Record<string, unknown>>(text, values),
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    }
  } finally {
    await cleanup.disposeAsync()
  }
}
