import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

// Environment variables that the global setup sets for the workers.
export const ADMIN_URL = 'KARVON_TEST_ADMIN_URL'
export const TEMPLATE = 'KARVON_TEST_TEMPLATE'
// Milliseconds since 1970 by the database's clock, and how far the clock of this process is ahead.
export const MOMENT = 'KARVON_TEST_MOMENT'
export const CLOCK_AHEAD = 'KARVON_TEST_CLOCK_AHEAD'
// The address of the pooler of a run with KARVON_TEST_PGBOUNCER=1.
export const POOLER_URL = 'KARVON_TEST_POOLER_URL'
// The address of the standby of a run with KARVON_TEST_REPLICA=1.
export const REPLICA_URL = 'KARVON_TEST_REPLICA_URL'
export const TEST_TIMEZONE = 'Asia/Tashkent'

export interface TestDatabase {
  /** For `openPool`, `migrate` and `buildApp`. */
  url: string
  /** The address behind the pooler of the run; undefined without one. */
  poolerUrl: string | undefined
  /** The address on the standby of the run; undefined without one. */
  replicaUrl: string | undefined
  drop(): Promise<void>
}

/**
 * Creates a database, migrated unless `empty`. Drop it after the tests. The drop ends open connections.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = options.empty ? `template0 encoding 'UTF8'` : readEnv(TEMPLATE)
  // A copy of the files costs half of a copy through the log.
  await adminQuery(`create database ${name} template ${template} strategy file_copy`)
  const onServer = (url: string | undefined) => (url === undefined ? undefined : replaceDatabase(url, name))
  return {
    url: buildDatabaseUrl(name),
    poolerUrl: onServer(process.env[POOLER_URL]),
    replicaUrl: onServer(process.env[REPLICA_URL]),
    drop: async () => {
      for (let attempt = 0; ; attempt += 1) {
        try {
          await adminQuery(`drop database if exists ${name} with (force)`)
          return
        } catch (error) {
          // Autovacuum may be running. Only a superuser can end it, and it ends by itself.
          if (attempt === 50) throw error
          await sleep(100)
        }
      }
    },
  }
}

/** Runs one statement as the role that creates databases. */
export async function adminQuery<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: readEnv(ADMIN_URL) })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** The URL of another database on the same server. */
export const buildDatabaseUrl = (database: string): string => replaceDatabase(readEnv(ADMIN_URL), database)

function replaceDatabase(url: string, database: string): string {
  const [address = '', ...query] = url.split('?')
  return [address.replace(/\/[^/]*$/, `/${database}`), ...query].join('?')
}

function readEnv(name: string): string {
  const value = process.env[name]
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests with "npm test", or vitest in server/`)
  return value
}
