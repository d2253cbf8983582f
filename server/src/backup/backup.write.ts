import { createHash } from 'node:crypto'
import { createWriteStream, type PathLike } from 'node:fs'
import { access, copyFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { FileStore } from '../platform/files/file-store.ts'
import { openFolderStore } from '../platform/files/file-store.folder.ts'
import { flushToDisk } from '../platform/files/flush-to-disk.ts'
import { makeFolder } from '../platform/files/make-folder.ts'
import { openClient } from '../platform/database/connection.ts'
import { beginSnapshot } from '../platform/database/snapshot.ts'
import { lockFilesAgainstRemovalSql } from '../platform/files/file-lock.ts'
import { getTableFilePath, writeManifest, type Manifest } from './backup.manifest.ts'
import {
  formatCopyQuery,
  quoteIdentifier,
  listTablesInOrder,
  readNewestId,
  type BackupTable,
} from './backup.tables.ts'

export interface BackupInstallation {
  url: string
  timeZone: string
  dataFolder: string
  files: FileStore
}

/**
 * Writes a backup into a new folder, from one snapshot, while the product runs: tables (text of COPY, gzip) and
 * uploaded files. Until the backup is complete, the folder ends in `.partial`. Throws an Error when the folder exists
 * or an uploaded file is missing.
 */
export async function writeBackup(installation: BackupInstallation, targetFolder: string): Promise<Manifest> {
  const folder = resolve(targetFolder)
  if (await exists(folder)) throw new Error(`${folder} is there already`)
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await makeFolder(join(partial, 'tables'), 0o700)
  const settings = { timezone: installation.timeZone, statementTimeout: 0, applicationName: 'karvon backup' }
  const client = await openClient(installation.url, settings)
  try {
    await client.query('set idle_in_transaction_session_timeout = 0')
    await client.query(lockFilesAgainstRemovalSql)
    await beginSnapshot(client)
    const appliedMigrations = await client.query<{ name: string }>(
      'select name from schema_migrations order by name',
    )
    const tables: Manifest['tables'] = []
    for (const table of await listTablesInOrder(client)) tables.push(await writeTable(client, partial, table))
    const files = await listFiles(client)
    await copyFiles(files, installation.files, partial)
    const manifest: Manifest = {
      karvon: 1,
      made_at: new Date().toISOString(),
      migrations: appliedMigrations.rows.map(({ name }) => name),
      tables,
      files,
    }
    await writeManifest(partial, manifest)
    await flushFolders(partial)
    await rename(partial, folder)
    await flushToDisk(dirname(folder))
    return manifest
  } finally {
    await client.end()
  }
}

/** The SHA-256 of each file that the database needs. */
export async function listFiles(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ sha256: string }>(
    'select distinct sha256 from uploads where infected_with is null and file_removed_at is null order by sha256',
  )
  return rows.map(({ sha256 }) => sha256)
}

async function writeTable(
  client: pg.Client,
  folder: string,
  table: BackupTable,
): Promise<Manifest['tables'][number]> {
  const copy = client.query(copyTo(`copy ${formatCopyQuery(table)} to stdout`))
  const sum = createHash('sha256')
  const hashStream = new PassThrough().on('data', (chunk: Buffer) => sum.update(chunk))
  const file = createWriteStream(getTableFilePath(folder, table.name), { mode: 0o600, flush: true })
  await pipeline(copy, createGzip({ level: 4 }), hashStream, file)
  const { rows } = await client.query<{ rows: number }>(
    `select count(*) as rows from ${quoteIdentifier(table.name)}`,
  )
  const last_id = await readNewestId(client, table)
  return { ...table, rows: rows[0]?.rows ?? 0, last_id, sha256: sum.digest('hex') }
}

/** The files have the same paths as in a data folder. */
async function copyFiles(files: readonly string[], source: FileStore, folder: string): Promise<void> {
  const target = openFolderStore(folder)
  for (const sha256 of files) {
    const path = target.getPath(sha256)
    await makeFolder(dirname(path), 0o700)
    await source
      .withPath(sha256, async (storedPath) => {
        await copyFile(storedPath, path)
        await flushToDisk(path)
      })
      .catch((error: unknown) => {
        throw new Error(`the uploaded file ${source.describe(sha256)} cannot be read`, { cause: error })
      })
  }
}

/** Makes the names in a folder and its subfolders durable. */
async function flushFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await flushToDisk(join(entry.parentPath, entry.name))
  await flushToDisk(folder)
}

const exists = (path: PathLike) =>
  access(path).then(
    () => true,
    () => false,
  )
