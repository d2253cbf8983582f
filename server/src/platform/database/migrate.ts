import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkSessions } from './connection.check.ts'
import { openClient, type ConnectionOptions } from './connection.ts'
import { applyMigration } from './migrate.apply.ts'
import { readMigrations } from './migrate.files.ts'
import type { MigrationFile } from './migrate.files.ts'
import { lockKeys } from './lock-keys.ts'

export interface MigrateOptions {
  /** Zone of the sessions, as for the pool: a migration may cast times to days. */
  timezone: string
  /** Called for each applied file, once for all files of a new database, and for an unsuitable encoding or locale. */
  log?: (message: string) => void
  /** Folder of NNNN_name.sql files. */
  folder?: string
  /** Name of the last file to apply; all of them without it. */
  last?: string
  /** Milliseconds that a transaction waits for a lock before it is repeated. */
  lockTimeout?: number
}

const ownFolder = fileURLToPath(new URL('migrations/', import.meta.url))
/** Milliseconds between two attempts to get the lock of migrations, and between two checks for migrations of another process. */
const pollInterval = 500
/** Milliseconds. Calls wait behind a migration that waits for its lock, so no call waits longer than this. */
const defaultLockTimeout = 3000

/**
 * Migrates the database to the newest schema with `applyMigration`, and returns the names of the applied files.
 * Processes that start in parallel wait for an advisory lock. Throws an Error that names the remedy: PostgreSQL older
 * than 15, a pooler in transaction mode, an applied file that was changed or is unknown, a failed statement, or a lock
 * that others hold for too long.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<string[]> {
  const { last } = options
  const allFiles = await readMigrations(options.folder ?? ownFolder)
  if (last !== undefined && allFiles.every(({ name }) => name !== last))
    throw new Error(`The migration ${last} is unknown: it belongs to a newer Karvon`)
  const files = last === undefined ? allFiles : allFiles.filter(({ name }) => name <= last)
  const connection: ConnectionOptions = {
    timezone: options.timezone,
    statementTimeout: 0,
    applicationName: 'karvon migrate',
  }
  const client = await openClient(url, connection)
  try {
    await checkServer(client, options.log)
    await checkSessions(client, () => openClient(url, connection))
    await acquireLock(client)
    const pendingFiles = await findPendingFiles(client, files)
    const isNew = pendingFiles.length === files.length
    const lockTimeout = options.lockTimeout ?? defaultLockTimeout
    for (const file of pendingFiles) {
      await applyMigration(client, file, { lockTimeout, log: options.log })
      if (!isNew) options.log?.(`Migration ${file.name} applied.`)
    }
    if (isNew) options.log?.(`The tables are created: ${pendingFiles.length} migrations.`)
    return pendingFiles.map((file) => file.name)
  } finally {
    // The end of the session releases the lock.
    await client.end()
  }
}

/** Polls for the lock, because a concurrent index build would wait for a statement that waits for the lock. */
async function acquireLock(client: pg.Client): Promise<void> {
  const text = 'select pg_try_advisory_lock($1) as acquired'
  while ((await client.query<{ acquired: boolean }>(text, [lockKeys.migrations])).rows[0]?.acquired !== true)
    await sleep(pollInterval)
}

/** Waits until another process has applied all migrations. Changes nothing. Throws the errors of {@link migrate}. */
export async function waitForMigrations(
  url: string,
  { timezone, log }: Pick<MigrateOptions, 'timezone' | 'log'>,
): Promise<void> {
  const client = await openClient(url, { timezone, applicationName: 'karvon migrate' })
  try {
    await checkServer(client, log)
    let waitsFor = ''
    for (;;) {
      const [next] = await findPendingMigrations(client)
      if (next === undefined) return
      if (next !== waitsFor) log?.(`Waiting until karvon migrate has applied ${next}.`)
      waitsFor = next
      await sleep(pollInterval)
    }
  } finally {
    await client.end()
  }
}

async function checkServer(client: pg.Client, log?: (message: string) => void): Promise<void> {
  const { rows } = await client.query<{ version: number; name: string; encoding: string; bytewise: boolean }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
       pg_encoding_to_char(encoding) as encoding,
       to_jsonb(d) ->> 'datlocprovider' = 'c' and datctype in ('C', 'POSIX') as bytewise
     from pg_database d where datname = current_database()`,
  )
  const [server] = rows
  if (server === undefined) throw new Error('PostgreSQL does not list the database of DATABASE_URL')
  if (server.version < 150_000) {
    throw new Error(
      `PostgreSQL ${server.name} is too old: Karvon needs 15 or later. Upgrade it, or point DATABASE_URL at a newer one`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(
      `The database's encoding is ${server.encoding}, but Karvon needs UTF8. ` +
        `Create a database with: create database karvon encoding 'UTF8' template template0`,
    )
  }
  if (server.bytewise) {
    log?.(
      `The database's character type is C: search will not ignore the case of Cyrillic letters. ` +
        `Create a database with: create database karvon lc_ctype 'C.UTF-8' template template0`,
    )
  }
}

async function findPendingFiles(client: pg.Client, files: MigrationFile[]): Promise<MigrationFile[]> {
  // If the table exists, a role that may not create tables can check that no migration is pending.
  if (!(await hasMigrationTable(client)))
    await client.query(`create table schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<AppliedMigration>(appliedMigrationsSql)
  return listPending(files, rows)
}

/** The names of migrations that are not applied. Changes nothing. Throws the same errors as {@link migrate}. */
export async function findPendingMigrations(client: pg.ClientBase): Promise<string[]> {
  const files = await readMigrations(ownFolder)
  const { rows } = (await hasMigrationTable(client))
    ? await client.query<AppliedMigration>(appliedMigrationsSql)
    : { rows: [] }
  return listPending(files, rows).map(({ name }) => name)
}

async function hasMigrationTable(client: pg.ClientBase): Promise<boolean> {
  const text = `select to_regclass('schema_migrations') is not null as exists`
  return (await client.query<{ exists: boolean }>(text)).rows[0]?.exists === true
}

interface AppliedMigration {
  name: string
  sha256: string
}

const appliedMigrationsSql = 'select name, sha256 from schema_migrations order by name'

function listPending(files: readonly MigrationFile[], rows: readonly AppliedMigration[]): MigrationFile[] {
  const sha256ByName = new Map(files.map((file) => [file.name, file.sha256]))
  const unknownNames = rows.filter((row) => !sha256ByName.has(row.name)).map((row) => row.name)
  if (unknownNames.length > 0) {
    throw new Error(
      `The database was made by a newer Karvon (it has ${unknownNames.join(', ')}). ` +
        `Start that version, or restore a backup from before the upgrade`,
    )
  }
  for (const row of rows) {
    if (sha256ByName.get(row.name) === row.sha256) continue
    throw new Error(
      `Migration ${row.name} was changed after this database applied it. ` +
        `Restore the file as it was and put the change into a new migration`,
    )
  }
  const appliedNames = new Set(rows.map((row) => row.name))
  const newestName = rows.at(-1)?.name ?? ''
  const pendingFiles = files.filter((file) => !appliedNames.has(file.name))
  const misplacedFile = pendingFiles.find((file) => file.name < newestName)
  if (misplacedFile !== undefined) {
    throw new Error(
      `Migration ${misplacedFile.name} comes before ${newestName}, which is applied: give it the next free number`,
    )
  }
  return pendingFiles
}
