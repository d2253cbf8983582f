import pg from 'pg'
import { getClusterPaths, readPassword } from './embedded.cluster.ts'
import { findSocketFolder } from './embedded.socket.ts'

export const buildEmbeddedUrl = (password: string, socketFolder: string): string =>
  `postgresql://karvon:${password}@/karvon?host=${encodeURIComponent(socketFolder)}`

/**
 * The URL of the embedded PostgreSQL that another Karvon process runs on this data folder; undefined if none answers.
 */
export async function findRunningEmbedded(folder: string): Promise<string | undefined> {
  const paths = getClusterPaths(folder)
  const password = readPassword(paths.password)
  const socketFolder = findSocketFolder(paths.home)
  if (password === undefined || socketFolder === undefined) return undefined
  const url = buildEmbeddedUrl(password, socketFolder)
  const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return url
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}
