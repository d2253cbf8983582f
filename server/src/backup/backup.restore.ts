import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openFolderStore } from '../platform/files/file-store.folder.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openClient } from '../platform/database/connection.ts'
import { lockFilesAgainstRemovalSql } from '../platform/files/file-lock.ts'
import { withoutIndexes } from './backup.indexes.ts'
import { readManifest, getTableFilePath, type Manifest } from './backup.manifest.ts'
import { formatCopyTable, quoteIdentifier, type BackupTable } from './backup.tables.ts'
import type { BackupInstallation } from './backup.write.ts'
import { storeCopy } from './files.copy.ts'
import { markFileStore } from './files.mark.ts'

/**
 * Restores a backup into an empty database and data folder: the schema of the backup, all rows in one transaction,
 * the uploaded files, then newer migrations. Nobody is signed in afterwards. Throws an Error with the reason, and
 * leaves the database empty, when a file is damaged or missing or the database has users.
 */
export async function restoreBackup(installation: BackupInstallation, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  for (const { name, sha256 } of manifest.tables)
    await requireChecksum(getTableFilePath(folder, name), sha256)
  const backup = openFolderStore(folder)
  for (const sha256 of manifest.files) await requireChecksum(backup.getPath(sha256), sha256)
  const settings = { timezone: installation.timeZone, statementTimeout: 0, applicationName: 'karvon restore' }
  const client = await openClient(installation.url, settings)
  try {
    await requireEmptyDatabase(client)
    const last = manifest.migrations.at(-1)
    await migrate(installation.url, { timezone: installation.timeZone, ...(last !== undefined && { last }) })
    await client.query(lockFilesAgainstRemovalSql)
    // Files first: files without rows are harmless, rows without files are not.
    await restoreFiles(manifest.files, folder, installation)
    await restoreTables(client, folder, manifest)
  } finally {
    await client.end()
  }
  await migrate(installation.url, { timezone: installation.timeZone })
  // The mark of the former store is not in the backup.
  await markFileStore(installation)
  return manifest
}

async function requireChecksum(path: string, sha256: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash).catch(() => {
    throw new Error(`the backup's ${path} is missing`)
  })
  if (hash.digest('hex') !== sha256) throw new Error(`the backup's ${path} is damaged`)
}

async function requireEmptyDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('users') is not null as exists`,
  )
  if (rows[0]?.exists !== true) return
  const people = await client.query('select from users limit 1')
  if (people.rowCount !== 0) throw new Error('the database is in use: a backup goes into an empty one')
}

async function restoreTables(client: pg.Client, folder: string, { tables }: Manifest): Promise<void> {
  const runForEachTable = async (text: (table: string) => string) => {
    for (const { name } of tables) await client.query(text(quoteIdentifier(name)))
  }
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query('begin')
  // The values that triggers maintain come from the backup.
  await runForEachTable((table) => `alter table ${table} disable trigger user`)
  // A new database has no entries in the ledger, and its role has no right to remove entries.
  const tablesToEmpty = tables.filter(({ name }) => name !== 'ledger_entries')
  await client.query(`truncate ${tablesToEmpty.map(({ name }) => quoteIdentifier(name)).join(', ')} cascade`)
  const names = tables.map(({ name }) => name)
  const freezableTables = await findTablesWithoutPartitions(client, tablesToEmpty)
  await withoutIndexes(client, names, async () => {
    for (const table of tables)
      await copyTable(client, { folder, table, isFrozen: freezableTables.has(table.name) })
  })
  await runForEachTable((table) => `alter table ${table} enable trigger user`)
  await continueIds(client, tables)
  await client.query('commit')
}

/**
 * New ids follow the last ones that were given before the backup: rules and jobs name ids, and must not take a new row for a
 * deleted one.
 */
async function continueIds(client: pg.Client, tables: Manifest['tables']): Promise<void> {
  const lastIds = Object.fromEntries(tables.map(({ name, last_id }) => [name, last_id ?? 0]))
  await client.query(
    `select setval(s.name, greatest(s.last, 1), s.last > 0) from (
       select pg_get_serial_sequence(quote_ident(table_name), column_name) as name,
         greatest(($1::jsonb ->> table_name)::bigint,
           (xpath('/row/last/text()', query_to_xml(format('select coalesce(max(%I), 0) as last from %I',
             column_name, table_name), false, true, '')))[1]::text::bigint) as last
       from information_schema.columns where table_schema = current_schema() and is_identity = 'YES') s`,
    [JSON.stringify(lastIds)],
  )
}

async function findTablesWithoutPartitions(
  client: pg.Client,
  tables: readonly BackupTable[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any($1)`,
    [tables.map(({ name }) => name)],
  )
  return new Set(rows.map(({ name }) => name))
}

/**
 * Copies the rows of a table. Frozen rows are visible to all from the commit on, so that index-only scans are fast before
 * the first vacuum. PostgreSQL freezes only rows of a table that the same transaction truncated.
 */
async function copyTable(
  client: pg.Client,
  { folder, table, isFrozen }: { folder: string; table: Manifest['tables'][number]; isFrozen: boolean },
): Promise<void> {
  const options = isFrozen ? ' with (freeze)' : ''
  const copy = client.query(copyFrom(`copy ${formatCopyTable(table)} from stdin${options}`))
  await pipeline(createReadStream(getTableFilePath(folder, table.name)), createGunzip(), copy)
  if (copy.rowCount !== table.rows)
    throw new Error(`${table.name} has ${copy.rowCount} rows instead of ${table.rows}`)
}

async function restoreFiles(
  files: readonly string[],
  folder: string,
  { files: store, dataFolder }: BackupInstallation,
): Promise<void> {
  const backup = openFolderStore(folder)
  for (const sha256 of files) await storeCopy(store, { path: backup.getPath(sha256), sha256, dataFolder })
}
