import { openPool } from '@karvon/server/platform/database/pool.ts'
import { timezone } from './leads.cluster.ts'

type Pool = ReturnType<typeof openPool>

/** A database of the same cluster. */
const beside = (url: string, name: string) => url.replace('/karvon?', `/${name}?`)

/** Copies the cluster's leads into databases of those names, works with them, and drops them. */
export async function withCopies<T>(
  url: string,
  names: readonly string[],
  work: (urls: string[]) => Promise<T>,
): Promise<T> {
  const keeper: Pool = openPool(beside(url, 'postgres'), { timezone, statementTimeout: 0, max: 1 })
  const drop = async () => {
    for (const name of names) await keeper.query(`drop database if exists ${name} (force)`)
  }
  try {
    await drop()
    for (const name of names) await keeper.query(`create database ${name} template karvon strategy file_copy`)
    return await work(names.map((name) => beside(url, name)))
  } finally {
    await drop()
    await keeper.end()
  }
}
