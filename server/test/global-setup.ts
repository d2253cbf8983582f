import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/platform/database/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import {
  ADMIN_URL,
  CLOCK_AHEAD,
  MOMENT,
  POOLER_URL,
  REPLICA_URL,
  TEMPLATE,
  TEST_TIMEZONE,
  adminQuery,
  buildDatabaseUrl,
} from './database.ts'
import { testBinaries } from './binaries.ts'
import { buildClusterUrl, createCluster, folderMemory } from './cluster.ts'
import { createTemporaryFolder } from './folder.ts'
import { pgbouncerProgram, startPgbouncer } from './pgbouncer.ts'
import { startStandby } from './standby.ts'
import { readDatabaseClock, wrapWithClock } from './shifted-clock.ts'

/**
 * Starts one PostgreSQL for the run, with a migrated database that `createTestDatabase` copies. KARVON_TEST_PG is 18
 * (default) or 15. KARVON_TEST_DATABASE_URL names a running server instead. Its role must be able to create databases.
 * KARVON_TEST_PGBOUNCER=1 puts PgBouncer in transaction mode before the product. Without PgBouncer on this machine the
 * product behaves as behind a pooler, and its connections lead to the server itself. KARVON_TEST_REPLICA=1 starts a standby,
 * on which the product reads. Each commit waits until the standby has replayed it, because tests also change the database directly.
 */
export async function setup(_project: TestProject): Promise<() => Promise<void>> {
  const givenUrl = process.env.KARVON_TEST_DATABASE_URL || undefined
  const start = process.env.KARVON_TEST_REPLICA === '1' ? startServerWithReplica : startOwnServer
  const ownServer = givenUrl === undefined ? await start() : undefined
  process.env[ADMIN_URL] = ownServer?.url ?? givenUrl
  await readMoment()
  // Several runs may share a given server.
  const template = `karvon_template_${process.pid}`
  process.env[TEMPLATE] = template
  await adminQuery(`create database ${template} template template0 encoding 'UTF8'`)
  await migrate(buildDatabaseUrl(template), { timezone: TEST_TIMEZONE })
  const pgbouncer = await startPooler()
  return async () => {
    await pgbouncer?.stop()
    await adminQuery(`drop database if exists ${template} with (force)`)
    await ownServer?.stop()
  }
}

async function startPooler() {
  if (process.env.KARVON_TEST_PGBOUNCER !== '1') return undefined
  const pgbouncer = pgbouncerProgram === null ? undefined : await startPgbouncer('transaction')
  process.env[POOLER_URL] = pgbouncer?.buildUrl('postgres') ?? process.env[ADMIN_URL]
  return pgbouncer
}

async function readMoment(): Promise<void> {
  const text = 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as moment'
  const [row] = await adminQuery<{ moment: number }>(text)
  if (row === undefined) throw new Error('The database returned no time')
  process.env[MOMENT] = String(row.moment)
  process.env[CLOCK_AHEAD] = String(Date.now() - row.moment)
}

interface TestServer {
  url: string
  stop(): Promise<void>
}

async function startOwnServer(): Promise<TestServer> {
  const folder = createTemporaryFolder()
  const clock = readDatabaseClock()
  const binaries = testBinaries()
  const server = await startEmbedded({
    folder,
    log: (message) => process.stderr.write(`${message}\n`),
    binaries: clock === undefined ? binaries : wrapWithClock(binaries, clock, folder),
    // The data does not outlive the run, so it need not reach the disk.
    settings: {
      ...folderMemory,
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
    },
  })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: server.url, stop }
}

async function startServerWithReplica(): Promise<TestServer> {
  const folder = createTemporaryFolder()
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' }
  const primary = await createCluster(join(folder, 'primary'), {
    ...settings,
    synchronous_commit: 'remote_apply',
  })
  await primary.start()
  const standby = await startStandby(primary, join(folder, 'standby'), settings)
  process.env[REPLICA_URL] = buildClusterUrl(standby.port)
  const stop = async () => {
    await primary.kill()
    await standby.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: buildClusterUrl(primary.port), stop }
}
