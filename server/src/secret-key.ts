import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The key that lies in the data folder, made on the first start: 32 bytes in base64, mode 0600. Processes
 * that start at once end up with the same one. Throws, with the remedy, where the file is not a key.
 */
export async function keptKey(folder: string): Promise<{ key: Buffer; path: string }> {
  const path = join(folder, 'secret.key')
  const key = (await readKey(path)) ?? (await makeKey(folder, path))
  return { key, path }
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read (${error.code}): give it to the account that Karvon runs as`)
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === 32) return key
  throw new Error(`${path} does not hold a key: restore it from a backup, or set KARVON_SECRET_KEY`)
}

async function makeKey(folder: string, path: string): Promise<Buffer> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  // A link fails where another process was first; the whole key is there or none.
  await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(fresh)
  const key = await readKey(path)
  if (key === undefined) throw new Error(`${path} was removed while Karvon started: start it again`)
  return key
}
