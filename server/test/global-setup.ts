import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/platform/database/embedded.ts'
import type { Embedded } from '../src/platform/database/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { ADMIN_URL, CLOCK_AHEAD, MOMENT, TEMPLATE, TEST_TIMEZONE, adminQuery, urlOf } from './database.ts'
import { testBinaries } from './binaries.ts'
import { sweepFolders, temporaryFolder } from './folder.ts'
import { databaseClock, withClock } from './shifted-clock.ts'

/**
 * One PostgreSQL for the whole run, with a migrated database that `createTestDatabase` copies.
 * KARVON_TEST_PG is 18 (default) or 15; KARVON_TEST_DATABASE_URL names a running server instead, whose
 * role must be allowed to make databases.
 */
export async function setup(_project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.KARVON_TEST_DATABASE_URL || undefined
  const own = given === undefined ? await startOwn() : undefined
  process.env[ADMIN_URL] = own?.server.url ?? given
  await readMoment()
  // Several runs may share a given server.
  const template = `karvon_template_${process.pid}`
  process.env[TEMPLATE] = template
  await adminQuery(`create database ${template} template template0 encoding 'UTF8'`)
  await migrate(urlOf(template), { timezone: TEST_TIMEZONE })
  return async () => {
    await adminQuery(`drop database if exists ${template} with (force)`)
    await own?.stop()
  }
}

async function readMoment(): Promise<void> {
  const text = 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as moment'
  const [row] = await adminQuery<{ moment: number }>(text)
  if (row === undefined) throw new Error('The database did not tell its time')
  process.env[MOMENT] = String(row.moment)
  process.env[CLOCK_AHEAD] = String(Date.now() - row.moment)
}

async function startOwn(): Promise<{ server: Embedded; stop(): Promise<void> }> {
  sweepFolders()
  const folder = temporaryFolder()
  const clock = databaseClock()
  const binaries = testBinaries()
  const server = await startEmbedded({
    folder,
    log: (message) => process.stderr.write(`${message}\n`),
    binaries: clock === undefined ? binaries : withClock(binaries, clock, folder),
    // Nothing here outlives the run, so nothing has to reach the disk.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { server, stop }
}
