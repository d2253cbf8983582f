import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestAppOn, signInAdmin, type Session } from '../../../test/app.ts'
import { buildClusterUrl, createCluster, type Cluster } from '../../../test/cluster.ts'
import { TEST_TIMEZONE } from '../../../test/database.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { connectRawClient, type RawClient } from '../../../test/raw-client.ts'
import { startReplica } from '../../../test/standby.ts'
import { migrate } from '../database/migrate.ts'

const folder = createTemporaryFolder()
let primary: Cluster
let replica: Cluster
let product: Awaited<ReturnType<typeof createTestAppOn>>
let admin: Session

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const settings = { fsync: 'off', max_connections: '60' }
  primary = await createCluster(join(folder, 'primary'), settings)
  await primary.start()
  await migrate(buildClusterUrl(primary.port), { timezone: TEST_TIMEZONE })
  replica = await startReplica(primary, join(folder, 'replica'), settings)
  product = await createTestAppOn(buildClusterUrl(primary.port), {
    KARVON_DATABASE_READ_URL: buildClusterUrl(replica.port),
    KARVON_DATABASE_READ_MAX_LAG: '10',
  })
  await product.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await signInAdmin(product.app)
})
afterAll(async () => {
  await product.close()
  await replica.kill()
  await primary.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function waitForReplay(): Promise<void> {
  const [row] = await primary.execute<{ position: string }>('select pg_current_wal_insert_lsn() as position')
  const text = `select pg_last_wal_replay_lsn() >= '${row?.position}' as has_replayed`
  await expect
    .poll(async () => (await replica.execute<{ has_replayed: boolean }>(text))[0]?.has_replayed)
    .toBe(true)
}

/** The statements of exports that run on the standby now. */
const countRunning = async () => {
  const text = `select count(*)::int as n from pg_stat_activity where state = 'active' and query ~ '^(declare|fetch).*export_rows'`
  return (await replica.execute<{ n: number }>(text))[0]?.n
}

function beginExport(isPaused: boolean): RawClient {
  const head = ['GET /api/admin/audit?format=csv HTTP/1.1', 'host: karvon']
  const request = [...head, `authorization: Bearer ${admin.token}`, '', ''].join('\r\n')
  return connectRawClient(product.app, request, isPaused)
}

test('an export from the standby goes on when its session is stored as used again', async () => {
  await primary.execute(
    `insert into audit_log (action, resource, new_values)
     select 'update', 'offers', jsonb_build_object('description', repeat('x', 1000)) from generate_series(1, 60000)`,
  )
  await waitForReplay()
  const client = beginExport(true)
  const text = `select 1 from pg_stat_activity where state = 'idle in transaction' and query like 'fetch % from export_rows'`
  await vi.waitUntil(async () => (await replica.execute(text)).length === 1, 10_000)
  await primary.execute(`update sessions set last_used_at = now() - interval '2 minutes'`)
  await waitForReplay()
  // Longer than the time for which a request needs no session again.
  await sleep(1100)
  let tail = ''
  client.socket.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString('latin1')).slice(-1000)))
  await vi.waitUntil(() => client.isClosed() || tail.endsWith('\r\n0\r\n\r\n'), 30_000)
  expect(tail.endsWith('\r\n0\r\n\r\n')).toBe(true)
  client.socket.destroy()
  const rows = await primary.execute(
    `select 1 from sessions where last_used_at < now() - interval '1 minute'`,
  )
  expect(rows).toEqual([])
})

test('the end of the connection ends the statement of an export on the standby', async () => {
  const holder = new pg.Client(buildClusterUrl(primary.port))
  await holder.connect()
  onTestFinished(() => holder.end())
  // The standby replays the lock, so the export waits there.
  await holder.query('begin; lock table audit_log in access exclusive mode')
  await waitForReplay()
  const client = beginExport(false)
  await vi.waitUntil(async () => (await countRunning()) === 1, 10_000)
  client.socket.destroy()
  await expect.poll(countRunning, { timeout: 5000 }).toBe(0)
})
