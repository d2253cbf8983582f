import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startEmbedded, type Embedded } from '@karvon/server/platform/database/embedded.ts'
import { migrate } from '@karvon/server/platform/database/migrate.ts'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { insertAdmin, loadSettings, type LeadsCluster } from './leads.cluster.ts'
import { entriesSql, accountStatements, sumStatements } from './ledger.generate.queries.ts'
import { timezone } from './databases.ts'

const cache = path.join(import.meta.dirname, '..', '..', '.cache', 'bench-ledger')
const migrations = import.meta.resolve('@karvon/server/platform/database/migrations/0033_ledger.sql')
const chunkSize = 250_000

/**
 * Opens a cluster with this number of entries as in production. Generates it first if it does not exist or is outdated
 * (10,000,000 entries: some minutes and 4 GB).
 */
export async function openLedgerCluster(
  entries: number,
  log: (message: string) => void,
): Promise<LeadsCluster> {
  const folder = path.join(cache, String(entries))
  const versionFile = path.join(folder, 'made.txt')
  const sources = [path.join(import.meta.dirname, 'ledger.generate.queries.ts'), new URL(migrations)]
  const version = createHash('sha256')
    .update(sources.map((source) => readFileSync(source, 'utf8')).join('\n'))
    .digest('hex')
  if (!existsSync(versionFile) || readFileSync(versionFile, 'utf8') !== version) {
    rmSync(folder, { recursive: true, force: true })
    const database = await startEmbedded({ folder, log: () => {}, settings: loadSettings })
    try {
      await fillLedger(database, entries, log)
    } finally {
      await database.stop()
    }
    writeFileSync(versionFile, version)
  }
  const database = await startEmbedded({ folder, log: () => {} })
  await migrate(database.url, { timezone })
  return { url: database.url, folder, pid: () => database.pid(), stop: () => database.stop() }
}

async function fillLedger(
  database: Embedded,
  entries: number,
  log: (message: string) => void,
): Promise<void> {
  log(`Generating ${entries.toLocaleString('en')} entries ...`)
  await migrate(database.url, { timezone })
  const pool = openPool(database.url, { timezone, statementTimeout: 0, max: 2 })
  try {
    await insertAdmin(pool)
    for (const text of accountStatements) await pool.query(text)
    const people = await pool.query<{ id: number }>(
      `select id from users where username <> 'admin' order by id`,
    )
    const { rows: indexes } = await pool.query<{ name: string; text: string }>(
      `select indexname as name, indexdef as text from pg_indexes
       where tablename = 'ledger_entries' and indexname <> 'ledger_entries_pkey'`,
    )
    for (const { name } of indexes) await pool.query(`drop index ${name}`)
    await pool.query('alter table ledger_entries disable trigger user')
    const causes = entries / 2
    for (let from = 1; from <= causes; from += chunkSize)
      await pool.query(entriesSql, [
        from,
        Math.min(from + chunkSize - 1, causes),
        causes,
        people.rows.map(({ id }) => id),
      ])
    log('  indexes')
    for (const { text } of indexes) await pool.query(text)
    await pool.query('alter table ledger_entries enable trigger user')
    log('  sums')
    for (const text of sumStatements) await pool.query(text)
    await pool.query('vacuum (freeze, analyze)')
  } finally {
    await pool.end()
  }
}
