import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { restoreBackup } from '@karvon/server/backup/backup.restore.ts'
import { writeBackup, type BackupInstallation } from '@karvon/server/backup/backup.write.ts'
import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { findBinaries } from '@karvon/server/platform/database/embedded.binaries.ts'
import { openFolderStore } from '@karvon/server/platform/files/file-store.folder.ts'
import { readPostgresVersion, timezone, withNewDatabase, withPool } from './databases.ts'
import { computeRatios, computeSpread } from './figures.ts'
import { fillDatabase } from './leads.cluster.ts'
import { buildSegments } from './leads.segments.ts'
import { countSql, historySql, sizeSql } from './restore.queries.ts'
import { measureAlternately } from './rounds.ts'
import type { BenchExtent, BenchResult, StandaloneBench } from './standalone.ts'

/** The time of a restore by the product, as a multiple of the time of pg_restore with two jobs. */
const maxRatio = 1.5
/** pg_dump and pg_restore of Debian 12, and the server of the same version: pg_dump 15 does not read newer ones. */
const programs = '/usr/lib/postgresql/15/bin'
const server = 'postgres-15-linux-x64'

interface Source {
  url: string
  leads: number
  /** Has the backup in `backup` and the dump in `dump`. */
  folder: string
}

/** Restores the same leads, with three changes each, by the product and by pg_restore, into new databases. */
export const restoreBench: StandaloneBench = {
  name: 'restore',
  async run({ rounds, leads = 1_000_000 }: BenchExtent): Promise<BenchResult> {
    if (!existsSync(programs)) throw new Error('pg_restore is missing: apt-get install postgresql-client-15')
    const folder = mkdtempSync(path.join(os.tmpdir(), 'karvon-bench-restore-'))
    const embedded = await startEmbedded({
      folder: path.join(folder, 'data'),
      log: () => {},
      binaries: findBinaries(server),
    })
    try {
      const { url } = embedded
      await fillDatabase(url, leads, console.log)
      const { postgres, bytes } = await withPool(url, addHistory)
      await writeBackup(describeInstallation(url, path.join(folder, 'data')), path.join(folder, 'backup'))
      const dump = `--file=${path.join(folder, 'dump')}`
      run('pg_dump', ['--format=d', '--jobs=2', '--compress=4', dump, url])
      const source = { url, leads, folder }
      const figures = await measureAlternately(
        [
          { name: 'karvon restore', measure: () => measureRestore(source, restoreByProduct) },
          { name: 'pg_restore', measure: () => measureRestore(source, restoreByPgRestore) },
        ],
        Math.min(rounds, 3),
      )
      return { ...formatSection(figures, { leads, bytes }), postgres }
    } finally {
      await embedded.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Adds the changes of the leads and their segments. Returns PostgreSQL's version and the size of the database. */
async function addHistory(pool: Parameters<typeof buildSegments>[0]) {
  console.log('  history and segments')
  await pool.query(historySql)
  await buildSegments(pool)
  const { rows } = await pool.query<{ bytes: number }>(sizeSql)
  return { postgres: await readPostgresVersion(pool), bytes: rows[0]?.bytes ?? 0 }
}

const describeInstallation = (url: string, dataFolder: string): BackupInstallation => ({
  url,
  timeZone: timezone,
  dataFolder,
  files: openFolderStore(dataFolder),
})

type Restore = (folder: string, targetUrl: string) => Promise<void>

async function restoreByProduct(folder: string, targetUrl: string): Promise<void> {
  const target = describeInstallation(targetUrl, path.join(folder, 'restored'))
  await restoreBackup(target, path.join(folder, 'backup'))
}

async function restoreByPgRestore(folder: string, targetUrl: string): Promise<void> {
  run('pg_restore', ['--jobs=2', `--dbname=${targetUrl}`, path.join(folder, 'dump')])
  run('vacuumdb', ['--analyze-only', '--quiet', targetUrl])
}

/** The seconds of one restore into a new database. Throws if rows are missing. */
const measureRestore = ({ url, leads, folder }: Source, restore: Restore): Promise<number> =>
  withNewDatabase(url, 'restored', async (targetUrl) => {
    const startedAt = performance.now()
    await restore(folder, targetUrl)
    const seconds = (performance.now() - startedAt) / 1000
    const { rows } = await withPool(targetUrl, (pool) =>
      pool.query<{ leads: number; changes: number }>(countSql),
    )
    if (rows[0]?.leads !== leads || rows[0].changes !== leads * 3)
      throw new Error(`Of ${leads} leads with three changes each were restored: ${JSON.stringify(rows[0])}`)
    console.log(`  ${restore.name}: ${seconds.toFixed(1)} s`)
    return seconds
  })

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(path.join(programs, program), args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}

function formatSection(
  [product = [], reference = []]: readonly (readonly number[])[],
  { leads, bytes }: { leads: number; bytes: number },
): { text: string; isMet: boolean } {
  const ratio = computeSpread(computeRatios(product, reference))
  const isMet = ratio.median <= maxRatio
  const formatLine = (name: string, seconds: readonly number[]) => {
    const { median, min, max } = computeSpread(seconds)
    return `| ${name} | ${median.toFixed(1)} (${min.toFixed(1)} to ${max.toFixed(1)}) |`
  }
  return {
    isMet,
    text: [
      '## restore',
      '',
      `${leads.toLocaleString('en')} leads with three changes each, their totals and segments: a database of ${(bytes / 1e9).toFixed(2)} GB, ` +
        'restored into a new database of the same cluster, with the statistics of the planner. The backup and the dump are compressed by the same level.',
      '',
      '| | seconds, median (range) |',
      '|---|--:|',
      formatLine('`karvon restore`, one transaction', product),
      formatLine('`pg_restore --jobs=2`', reference),
      `| **ratio** | **${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})** |`,
      '',
      `Aim: at most ${maxRatio}: ${isMet ? 'met' : 'missed'}, over ${product.length} alternating rounds.`,
      '',
    ].join('\n'),
  }
}
