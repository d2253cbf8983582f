import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

// Environment variables by which the run's set-up tells the workers of its server.
export const ADMIN_URL = 'KARVON_TEST_ADMIN_URL'
export const TEMPLATE = 'KARVON_TEST_TEMPLATE'
// Milliseconds since 1970 by the database's clock, and by how much this process's is ahead of it.
export const MOMENT = 'KARVON_TEST_MOMENT'
export const CLOCK_AHEAD = 'KARVON_TEST_CLOCK_AHEAD'
export const TEST_TIMEZONE = 'Asia/Tashkent'

export interface TestDatabase {
  /** For `openPool`, `migrate` and `buildApp`. */
  url: string
  drop(): Promise<void>
}

/**
 * A fresh database of its own: migrated unless `empty`. Drop it after the tests; connections that are
 * still open are ended.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = options.empty ? `template0 encoding 'UTF8'` : required(TEMPLATE)
  await adminQuery(`create database ${name} template ${template}`)
  return {
    url: urlOf(name),
    drop: async () => {
      for (let tries = 0; ; tries += 1) {
        try {
          await adminQuery(`drop database if exists ${name} with (force)`)
          return
        } catch (error) {
          // Autovacuum may be at work there, which only a superuser can end; it leaves by itself.
          if (tries === 50) throw error
          await sleep(100)
        }
      }
    },
  }
}

/** One statement as the role that makes databases, outside any test's database. */
export async function adminQuery<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: required(ADMIN_URL) })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** The run's server, another database. */
export function urlOf(database: string): string {
  const [address = '', ...query] = required(ADMIN_URL).split('?')
  return [address.replace(/\/[^/]*$/, `/${database}`), ...query].join('?')
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests with "npm test", or vitest in server/`)
  return value
}
