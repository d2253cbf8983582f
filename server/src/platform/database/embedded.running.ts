import pg from 'pg'
import { placesIn, readPassword } from './embedded.cluster.ts'
import { socketFolderOf } from './embedded.socket.ts'

/** The address at which the built-in PostgreSQL listens. */
export const addressOf = (password: string, socketFolder: string): string =>
  `postgresql://karvon:${password}@/karvon?host=${encodeURIComponent(socketFolder)}`

/**
 * The address of the built-in PostgreSQL that another process of Karvon runs on this data folder; undefined
 * where none answers.
 */
export async function runningEmbedded(folder: string): Promise<string | undefined> {
  const places = placesIn(folder)
  const password = readPassword(places.password)
  const socketFolder = socketFolderOf(places.home)
  if (password === undefined || socketFolder === undefined) return undefined
  const url = addressOf(password, socketFolder)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
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
