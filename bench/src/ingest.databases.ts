import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { timezone } from './leads.cluster.ts'

/** Half a second apart. */
const maxDropAttempts = 120

type Pool = ReturnType<typeof openPool>

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
export async function withDatabaseCopies<T>(
  url: string,
  names: readonly string[],
  callback: (urls: string[]) => Promise<T>,
): Promise<T> {
  const admin: Pool = openPool(buildDatabaseUrl(url, 'postgres'), { timezone, statementTimeout: 0, max: 1 })
  const drop = async () => {
    for (const name of names) await dropDatabase(admin, name)
  }
  try {
    await drop()
    for (const name of names) await admin.query(`create database ${name} template karvon strategy file_copy`)
    return await callback(names.map((name) => buildDatabaseUrl(url, name)))
  } finally {
    await drop()
    await admin.end()
  }
}
