import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the seal is opened with. */
export interface KeyRing {
  /** The first one seals, all of them open. */
  keys: readonly Buffer[]
  /** The keys anew, where another process may have changed them. */
  reload?: () => readonly Buffer[]
}

/** The keys of the environment, or else those of the data folder, whose file is then `path`. */
export async function keyRing(config: {
  secretKey: Buffer | undefined
  oldSecretKeys: readonly Buffer[]
  dataFolder: string
}): Promise<{ ring: KeyRing; path?: string }> {
  const { secretKey, oldSecretKeys: old, dataFolder } = config
  if (secretKey !== undefined) return { ring: { keys: [secretKey, ...old] } }
  const { keys, path } = await keptKeys(dataFolder)
  return { ring: { keys: [...keys, ...old], reload: () => [...rereadKeys(dataFolder), ...old] }, path }
}

const fileOf = (folder: string) => join(folder, 'secret.key')

/**
 * The keys that lie in the data folder, the one that seals first; made on the first start: 32 bytes in base64,
 * a line a key, mode 0600. Processes that start at once end up with the same one. Throws, with the remedy,
 * where the file is not of keys.
 */
async function keptKeys(folder: string): Promise<{ keys: Buffer[]; path: string }> {
  const path = fileOf(folder)
  const keys = readKeys(path) ?? (await makeKey(folder, path))
  return { keys, path }
}

/** The keys as they lie there now; none where there is no file. */
const rereadKeys = (folder: string): Buffer[] => readKeys(fileOf(folder)) ?? []

/** Puts a fresh key before those that lie in the data folder, which still open what they sealed. */
export async function addKey(folder: string): Promise<void> {
  const { keys, path } = await keptKeys(folder)
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, linesOf([randomBytes(32), ...keys]), { mode: 0o600, flush: true })
  await rename(fresh, path)
}

/** Leaves the key that seals alone in the data folder. */
export async function dropOldKeys(folder: string): Promise<void> {
  const { keys, path } = await keptKeys(folder)
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, linesOf(keys.slice(0, 1)), { mode: 0o600, flush: true })
  await rename(fresh, path)
}

const linesOf = (keys: readonly Buffer[]) => keys.map((key) => `${key.toString('base64')}\n`).join('')

function readKeys(path: string): Buffer[] | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read (${code}): give it to the account that Karvon runs as`, {
      cause: error,
    })
  }
  const keys = text
    .trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, 'base64'))
  if (keys.every((key) => key.length === 32)) return keys
  throw new Error(`${path} does not hold a key: restore it from a backup, or set KARVON_SECRET_KEY`)
}

async function makeKey(folder: string, path: string): Promise<Buffer[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, linesOf([randomBytes(32)]), { mode: 0o600, flush: true })
  // A link fails where another process was first; the whole key is there or none.
  await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(fresh)
  const keys = readKeys(path)
  if (keys === undefined) throw new Error(`${path} was removed while Karvon started: start it again`)
  return keys
}
