import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { passwordCost } from '@karvon/server/config.passwords.ts'
import { ensureFirstAdmin } from '@karvon/server/domains/auth/first-admin.ts'
import { startEmbedded, type Embedded } from '@karvon/server/platform/database/embedded.ts'
import { migrate } from '@karvon/server/platform/database/migrate.ts'
import { openDb, type openPool } from '@karvon/server/platform/database/pool.ts'
import { PasswordHasher } from '@karvon/server/platform/security/passwords.ts'
import { timezone, withPool } from './databases.ts'
import { compareTotals } from './leads.check.ts'
import { fillLeads } from './leads.fill.ts'

/** A database with generated leads, which is kept between runs. */
export interface LeadsCluster {
  url: string
  folder: string
  pid(): number
  stop(): Promise<void>
}

export const admin = { username: 'admin', password: 'karvon-bench-admin' }

const cache = path.join(import.meta.dirname, '..', '..', '.cache', 'bench-leads')
/** The files that generate the leads. If they change, the leads are generated again. */
const generatorFiles = ['leads.generate.queries.ts', 'leads.fill.ts', 'leads.totals.queries.ts'] as const
// Only for loading. After a crash the leads are generated again.
export const loadSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  maintenance_work_mem: '768MB',
  work_mem: '512MB',
  autovacuum: 'off',
}

/**
 * Opens the cluster with this number of leads as in production. Generates it first if it does not exist or is outdated
 * (10,000,000 leads: some minutes and 8 GB).
 */
export async function openLeadsCluster(leads: number, log: (message: string) => void): Promise<LeadsCluster> {
  const folder = path.join(cache, String(leads))
  const versionFile = path.join(folder, 'made.txt')
  const sources = generatorFiles.map((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8'))
  const version = createHash('sha256').update(sources.join('\n')).digest('hex')
  if (!existsSync(versionFile) || readFileSync(versionFile, 'utf8') !== version) {
    rmSync(folder, { recursive: true, force: true })
    await createCluster(folder, leads, log)
    writeFileSync(versionFile, version)
  }
  const database = await startEmbedded({ folder, log: () => {} })
  try {
    await migrate(database.url, { timezone })
  } catch (error) {
    await database.stop()
    // An unreleased migration may change. Then the leads are generated again.
    const migrationChanged = /was changed after|made by a newer|comes before/
    if (!(error instanceof Error && migrationChanged.test(error.message))) throw error
    rmSync(folder, { recursive: true, force: true })
    return openLeadsCluster(leads, log)
  }
  return { url: database.url, folder, pid: () => database.pid(), stop: () => database.stop() }
}

async function createCluster(folder: string, leads: number, log: (message: string) => void): Promise<void> {
  const startedAt = performance.now()
  log(`Generating ${leads.toLocaleString('en')} leads in ${path.relative(process.cwd(), folder)} ...`)
  const database = await startEmbedded({ folder, log: () => {}, settings: loadSettings })
  try {
    lowerPriority(database)
    await fillDatabase(database.url, leads, log)
    log('  recount')
    const { rows, differing } = await withPool(database.url, compareTotals)
    if (differing > 0) throw new Error(`${differing} of ${rows} totals differ from their leads`)
  } finally {
    await database.stop()
  }
  log(`Generated in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`)
}

/** Migrates an empty database and fills it with an admin, references and leads. */
export async function fillDatabase(
  url: string,
  leads: number,
  log: (message: string) => void,
): Promise<void> {
  await migrate(url, { timezone })
  await withPool(url, async (pool) => {
    await insertAdmin(pool)
    await fillLeads(pool, leads, log)
  })
}

/** Inserts the admin into an empty database. */
export async function insertAdmin(pool: ReturnType<typeof openPool>): Promise<void> {
  await ensureFirstAdmin({ db: openDb(pool), passwords: new PasswordHasher(passwordCost) }, admin)
}

/** Lowers the priority of PostgreSQL. Its sessions inherit it. */
function lowerPriority(database: Embedded): void {
  os.setPriority(database.pid(), 10)
}
