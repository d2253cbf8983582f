import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { migrate } from '../src/platform/database/migrate.ts'
import { createTestAppOn, signInAdmin } from './app.ts'
import { buildClusterUrl, createCluster } from './cluster.ts'
import { TEST_TIMEZONE } from './database.ts'
import { createTemporaryFolder } from './folder.ts'
import { startReplica } from './standby.ts'

export type ReplicatedApp = Awaited<ReturnType<typeof createReplicatedApp>>

/** The product on a primary, with a standby for reads. A standby that is behind for more than `maxLag` seconds is left out. */
export async function createReplicatedApp(maxLag: number) {
  const folder = createTemporaryFolder()
  mkdirSync(folder, { recursive: true })
  const settings = { fsync: 'off', max_connections: '60' }
  const primary = await createCluster(join(folder, 'primary'), settings)
  await primary.start()
  const url = buildClusterUrl(primary.port)
  await migrate(url, { timezone: TEST_TIMEZONE })
  const replica = await startReplica(primary, join(folder, 'replica'), settings)
  const product = await createTestAppOn(url, {
    KARVON_DATABASE_READ_URL: buildClusterUrl(replica.port),
    KARVON_DATABASE_READ_MAX_LAG: String(maxLag),
  })
  return {
    primary,
    replica,
    product,
    admin: await signInAdmin(product.app),
    /** Waits until the standby has what the primary has now. */
    waitForReplay: async (): Promise<void> => {
      const [row] = await primary.execute<{ position: string }>(
        'select pg_current_wal_insert_lsn() as position',
      )
      const text = `select pg_last_wal_replay_lsn() >= '${row?.position}' as has_replayed`
      await expect
        .poll(async () => (await replica.execute<{ has_replayed: boolean }>(text))[0]?.has_replayed)
        .toBe(true)
    },
    close: async (): Promise<void> => {
      await product.close()
      await replica.kill()
      await primary.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
