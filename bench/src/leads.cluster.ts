import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureFirstAdmin } from '@karvon/server/domains/auth/first-admin.ts'
import { startEmbedded, type Embedded } from '@karvon/server/platform/database/embedded.ts'
import { migrate } from '@karvon/server/platform/database/migrate.ts'
import { openDb, openPool } from '@karvon/server/platform/database/pool.ts'
import { compareTotals } from './leads.check.ts'
import { fillLeads } from './leads.fill.ts'

/** A database with generated leads in it, kept between runs. */
export interface LeadsCluster {
  url: string
  folder: string
  pid(): number
  stop(): Promise<void>
}

export const timezone = 'Asia/Tashkent'
export const admin = { username: 'admin', password: 'karvon-bench-admin' }

const cache = path.join(import.meta.dirname, '..', '..', '.cache', 'bench-leads')
/** What decides how the leads come out: with other texts they are made anew. */
const makers = ['leads.generate.sql.ts', 'leads.fill.ts', 'leads.totals.sql.ts'] as const
// For loading alone: what a crash would lose is made again, and nothing is replicated.
const hasty = {
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
 * Opens the cluster of so many leads as production starts PostgreSQL, after making it where it is not there
 * or was made from other texts (10,000,000 leads: some minutes and 8 GB).
 */
export async function openLeads(leads: number, say: (message: string) => void): Promise<LeadsCluster> {
  const folder = path.join(cache, String(leads))
  const made = path.join(folder, 'made.txt')
  const texts = makers.map((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8'))
  const version = createHash('sha256').update(texts.join('\n')).digest('hex')
  if (!existsSync(made) || readFileSync(made, 'utf8') !== version) {
    rmSync(folder, { recursive: true, force: true })
    await make(folder, leads, say)
    writeFileSync(made, version)
  }
  const database = await startEmbedded({ folder, log: () => {} })
  try {
    await migrate(database.url, { timezone })
  } catch (error) {
    await database.stop()
    // A migration that is not released yet may change or be renamed; the leads are then made anew.
    const changed = /was changed after|made by a newer|comes before/
    if (!(error instanceof Error && changed.test(error.message))) throw error
    rmSync(folder, { recursive: true, force: true })
    return openLeads(leads, say)
  }
  return { url: database.url, folder, pid: () => database.pid(), stop: () => database.stop() }
}

async function make(folder: string, leads: number, say: (message: string) => void): Promise<void> {
  const start = performance.now()
  say(`Making ${leads.toLocaleString('en')} leads in ${path.relative(process.cwd(), folder)} ...`)
  const database = await startEmbedded({ folder, log: () => {}, settings: hasty })
  try {
    yieldTo(database)
    await migrate(database.url, { timezone })
    const pool = openPool(database.url, { timezone, statementTimeout: 0, max: 2 })
    try {
      await ensureFirstAdmin(openDb(pool), admin)
      await fillLeads(pool, leads, say)
      say('  recount')
      const { rows, differing } = await compareTotals(pool)
      if (differing > 0) throw new Error(`${differing} of ${rows} totals differ from their leads`)
    } finally {
      await pool.end()
    }
  } finally {
    await database.stop()
  }
  say(`Made in ${((performance.now() - start) / 1000).toFixed(0)} s.`)
}

/** Whatever else the machine does goes first; PostgreSQL's sessions take over their parent's rank. */
function yieldTo(database: Embedded): void {
  os.setPriority(database.pid(), 10)
}
