import { createHash } from 'node:crypto'
import { createWriteStream, type PathLike } from 'node:fs'
import { access, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { openFileStore } from '../platform/files/file-store.ts'
import { connectionSettings } from '../platform/database/pool.ts'
import { keepFilesInPlaceText } from '../platform/files/file-lock.ts'
import { tableFile, writeManifest, type Manifest } from './backup.manifest.ts'
import { copied, quoted, tablesInOrder, type CopiedTable } from './backup.tables.ts'

export interface BackupPlace {
  url: string
  timeZone: string
  dataFolder: string
}

/**
 * Writes everything that a person entered or a network told into a new folder, as of one moment, while the
 * product works: tables (COPY's text, gzip) and uploaded files. Until it is whole the folder ends in `.partial`.
 * Answers what it holds. Throws an Error where the folder is there already or a file of an upload is not.
 */
export async function writeBackup(place: BackupPlace, into: string): Promise<Manifest> {
  const folder = resolve(into)
  if (await exists(folder)) throw new Error(`${folder} is there already`)
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(join(partial, 'tables'), { recursive: true, mode: 0o700 })
  const settings = { timezone: place.timeZone, statementTimeout: 0, applicationName: 'karvon backup' }
  const client = new pg.Client(connectionSettings(place.url, settings))
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('set idle_in_transaction_session_timeout = 0')
    await client.query(keepFilesInPlaceText)
    await client.query('begin isolation level repeatable read read only')
    const applied = await client.query<{ name: string }>('select name from schema_migrations order by name')
    const tables: Manifest['tables'] = []
    for (const table of await tablesInOrder(client)) tables.push(await writeTable(client, partial, table))
    const { rows } = await client.query<{ sha256: string }>(
      'select distinct sha256 from uploads where infected_with is null and file_removed_at is null order by sha256',
    )
    const files = rows.map(({ sha256 }) => sha256)
    await copyFiles(files, place.dataFolder, partial)
    const manifest: Manifest = {
      karvon: 1,
      made_at: new Date().toISOString(),
      migrations: applied.rows.map(({ name }) => name),
      tables,
      files,
    }
    await writeManifest(partial, manifest)
    await rename(partial, folder)
    return manifest
  } finally {
    await client.end()
  }
}

async function writeTable(
  client: pg.Client,
  folder: string,
  table: CopiedTable,
): Promise<Manifest['tables'][number]> {
  const copy = client.query(copyTo(`copy ${copied(table)} to stdout`))
  const sum = createHash('sha256')
  const hashed = new PassThrough().on('data', (piece: Buffer) => sum.update(piece))
  const file = createWriteStream(tableFile(folder, table.name), { mode: 0o600, flush: true })
  await pipeline(copy, createGzip({ level: 4 }), hashed, file)
  const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${quoted(table.name)}`)
  return { ...table, rows: rows[0]?.rows ?? 0, sha256: sum.digest('hex') }
}

/** Into the same places as in a data folder. */
async function copyFiles(files: readonly string[], from: string, to: string): Promise<void> {
  const [source, target] = [openFileStore(from), openFileStore(to)]
  for (const sha256 of files) {
    await mkdir(dirname(target.pathOf(sha256)), { recursive: true, mode: 0o700 })
    await copyFile(source.pathOf(sha256), target.pathOf(sha256)).catch((error: unknown) => {
      throw new Error(`the uploaded file ${source.pathOf(sha256)} cannot be read`, { cause: error })
    })
  }
}

const exists = (path: PathLike) =>
  access(path).then(
    () => true,
    () => false,
  )
