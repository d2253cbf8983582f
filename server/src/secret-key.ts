import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flushToDisk } from './platform/files/flush-to-disk.ts'
import { makeFolder } from './platform/files/make-folder.ts'

/** The keys that encrypt secrets. */
export interface KeyRing {
  /** The first one encrypts, all decrypt. */
  keys: readonly Buffer[]
  /** Reads the keys again, because another process may have changed them. */
  reload?: () => readonly Buffer[]
}

/** Loads the keys of the environment, or those of the data folder; `path` is the file of the latter. */
export async function loadKeyRing(config: {
  secretKey: Buffer | undefined
  oldSecretKeys: readonly Buffer[]
  dataFolder: string
}): Promise<{ ring: KeyRing; path?: string }> {
  const { secretKey, oldSecretKeys: oldKeys, dataFolder } = config
  if (secretKey !== undefined) return { ring: { keys: [secretKey, ...oldKeys] } }
  const { keys, path } = await readOrMakeKeys(dataFolder)
  return {
    ring: { keys: [...keys, ...oldKeys], reload: () => [...reloadKeys(dataFolder), ...oldKeys] },
    path,
  }
}

export const getKeyPath = (folder: string) => join(folder, 'secret.key')

/**
 * The keys of the data folder: the encrypting key first, one line for each key, 32 bytes in base64, mode 0600. The
 * first start creates the file; processes that start in parallel get the same key. Throws an Error with the remedy
 * for a damaged file.
 */
async function readOrMakeKeys(folder: string): Promise<{ keys: Buffer[]; path: string }> {
  const path = getKeyPath(folder)
  const keys = readKeys(path) ?? (await makeKey(folder, path))
  return { keys, path }
}

/** The current keys of the data folder; empty without a file. */
const reloadKeys = (folder: string): Buffer[] => readKeys(getKeyPath(folder)) ?? []

/** Adds a new first key to the data folder. The old keys stay and decrypt. */
export async function addKey(folder: string): Promise<void> {
  const { keys } = await readOrMakeKeys(folder)
  await replaceKeys(folder, [randomBytes(32), ...keys])
}

/** Keeps only the first key in the data folder. */
export async function dropOldKeys(folder: string): Promise<void> {
  const { keys } = await readOrMakeKeys(folder)
  await replaceKeys(folder, keys.slice(0, 1))
}

/** Durable when it returns: secrets that are encrypted afterwards need the new file after a crash of the machine. */
async function replaceKeys(folder: string, keys: readonly Buffer[]): Promise<void> {
  const path = getKeyPath(folder)
  const temporaryPath = await writeTemporaryFile(path, keys)
  await rename(temporaryPath, path)
  await flushToDisk(folder)
}

/** Writes keys to a new file beside `path`, and returns its path. A full disk leaves no file. */
async function writeTemporaryFile(path: string, keys: readonly Buffer[]): Promise<string> {
  // Processes in different containers have the same process id.
  const temporaryPath = `${path}.${randomUUID()}`
  try {
    await writeFile(temporaryPath, formatKeys(keys), { mode: 0o600, flush: true })
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
  return temporaryPath
}

const formatKeys = (keys: readonly Buffer[]) => keys.map((key) => `${key.toString('base64')}\n`).join('')

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
  await makeFolder(folder, 0o700)
  const temporaryPath = await writeTemporaryFile(path, [randomBytes(32)])
  // The link fails when another process was faster. The file always has a whole key.
  await link(temporaryPath, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporaryPath)
  await flushToDisk(folder)
  const keys = readKeys(path)
  if (keys === undefined) throw new Error(`${path} was removed while Karvon started: start it again`)
  return keys
}
