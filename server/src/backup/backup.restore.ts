import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openFileStore } from '../platform/files/file-store.ts'
import { migrate } from '../platform/database/migrate.ts'
import { connectionSettings } from '../platform/database/pool.ts'
import { keepFilesInPlaceText } from '../platform/files/file-lock.ts'
import { readManifest, tableFile, type Manifest } from './backup.manifest.ts'
import { copied, quoted } from './backup.tables.ts'
import type { BackupPlace } from './backup.write.ts'

/**
 * Brings a backup into an empty database and data folder: the schema as it was, all rows in one transaction,
 * the uploaded files, then whatever migrations came since. Nobody is signed in afterwards. Throws an Error that
 * says why, and leaves the database empty, where a file is damaged or missing or somebody is in it already.
 */
export async function restoreBackup(place: BackupPlace, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  for (const { name, sha256 } of manifest.tables) await expectSum(tableFile(folder, name), sha256)
  const backup = openFileStore(folder)
  for (const sha256 of manifest.files) await expectSum(backup.pathOf(sha256), sha256)
  const settings = { timezone: place.timeZone, statementTimeout: 0, applicationName: 'karvon restore' }
  const client = new pg.Client(connectionSettings(place.url, settings))
  client.on('error', () => {})
  await client.connect()
  try {
    await expectEmpty(client)
    const last = manifest.migrations.at(-1)
    await migrate(place.url, { timezone: place.timeZone, ...(last !== undefined && { last }) })
    await client.query(keepFilesInPlaceText)
    // Files that nothing names harm nobody; rows without their files would.
    await keepFiles(manifest.files, folder, place.dataFolder)
    await fill(client, folder, manifest)
  } finally {
    await client.end()
  }
  await migrate(place.url, { timezone: place.timeZone })
  return manifest
}

async function expectSum(path: string, sha256: string): Promise<void> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(path), sum).catch(() => {
    throw new Error(`the backup's ${path} is missing`)
  })
  if (sum.digest('hex') !== sha256) throw new Error(`the backup's ${path} is damaged`)
}

async function expectEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('users') is not null as there`)
  if (rows[0]?.there !== true) return
  const people = await client.query('select from users limit 1')
  if (people.rowCount !== 0) throw new Error('the database is in use: a backup goes into an empty one')
}

async function fill(client: pg.Client, folder: string, { tables }: Manifest): Promise<void> {
  const each = async (text: (table: string) => string) => {
    for (const { name } of tables) await client.query(text(quoted(name)))
  }
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query('begin')
  // What the triggers keep up comes from the backup, too.
  await each((table) => `alter table ${table} disable trigger user`)
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')} cascade`)
  for (const table of tables) {
    const copy = client.query(copyFrom(`copy ${copied(table)} from stdin`))
    await pipeline(createReadStream(tableFile(folder, table.name)), createGunzip(), copy)
    if (copy.rowCount !== table.rows)
      throw new Error(`${table.name} has ${copy.rowCount} rows instead of ${table.rows}`)
  }
  await each((table) => `alter table ${table} enable trigger user`)
  await client.query(
    `select setval(s.name, greatest(s.last, 1), s.last > 0) from (
       select pg_get_serial_sequence(quote_ident(table_name), column_name) as name,
         (xpath('/row/last/text()', query_to_xml(format('select coalesce(max(%I), 0) as last from %I',
           column_name, table_name), false, true, '')))[1]::text::bigint as last
       from information_schema.columns where table_schema = current_schema() and is_identity = 'YES') s`,
  )
  await client.query('commit')
}

async function keepFiles(files: readonly string[], folder: string, dataFolder: string): Promise<void> {
  const [backup, store] = [openFileStore(folder), openFileStore(dataFolder)]
  const incoming = join(dataFolder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  for (const sha256 of files) {
    const path = join(incoming, sha256)
    await copyFile(backup.pathOf(sha256), path)
    await store.keep(path, sha256)
  }
}
