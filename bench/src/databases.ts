import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '@karvon/server/platform/database/pool.ts'

export const timezone = 'Asia/Tashkent'

/** Half a second apart. */
const maxDropAttempts = 120

type Pool = ReturnType<typeof openPool>

/** Runs `work` with a pool of two connections without a limit of time, and closes it. */
export async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = openPool(url, { timezone, statementTimeout: 0, max: 2 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** The version of PostgreSQL, such as 18.4. */
export async function readPostgresVersion(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version ?? ''
}

/** The URL of another database of the same cluster. */
const buildDatabaseUrl = (url: string, name: string) => url.replace('/karvon?', `/${name}?`)

/** Autovacuum may be running. Only a superuser can end it, and it ends by itself. */
async function dropDatabase(admin: Pool, name: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await admin.query(`drop database if exists ${name} (force)`)
      return
    } catch (error) {
      if (attempt === maxDropAttempts) throw error
      await sleep(500)
    }
  }
}

/** Copies the cluster's database, runs the callback with the copies, and drops them. */
export const withDatabaseCopies = <T>(
  url: string,
  names: readonly string[],
  callback: (urls: string[]) => Promise<T>,
): Promise<T> =>
  withDatabases({ url, names, options: 'template karvon strategy file_copy' }, () =>
    callback(names.map((name) => buildDatabaseUrl(url, name))),
  )

/** Creates an empty database in the cluster, runs the callback with it, and drops it. */
export const withNewDatabase = <T>(
  url: string,
  name: string,
  callback: (url: string) => Promise<T>,
): Promise<T> =>
  withDatabases({ url, names: [name], options: '' }, () => callback(buildDatabaseUrl(url, name)))

function withDatabases<T>(
  { url, names, options }: { url: string; names: readonly string[]; options: string },
  callback: () => Promise<T>,
): Promise<T> {
  return withPool(buildDatabaseUrl(url, 'postgres'), async (admin) => {
    const drop = async () => {
      for (const name of names) await dropDatabase(admin, name)
    }
    try {
      await drop()
      for (const name of names) await admin.query(`create database ${name} ${options}`)
      return await callback()
    } finally {
      await drop()
    }
  })
}
