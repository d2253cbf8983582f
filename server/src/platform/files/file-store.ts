import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Stores files by the SHA-256 of their content. The name that a person gave never becomes a path. */
export interface FileStore {
  /** Moves a file of the same disk into the store. After it returns, the file survives a power cut. */
  store(path: string, sha256: string): Promise<void>
  /** The path of a stored file. */
  getPath(sha256: string): string
  /** A stored file and its size in bytes; null when it does not exist. */
  read(sha256: string): Promise<{ size: number; stream: Readable } | null>
  /** Removes a stored file. A missing file is not an error. */
  remove(sha256: string): Promise<void>
}

/** Opens the store in `files/` below the data folder, with one folder for each first two digits. */
export function openFileStore(dataFolder: string): FileStore {
  const root = join(dataFolder, 'files')
  const getPath = (sha256: string) => {
    if (!/^[\da-f]{64}$/.test(sha256)) throw new Error(`${sha256} is no SHA-256`)
    return join(root, sha256.slice(0, 2), sha256)
  }
  return {
    getPath,
    async store(path, sha256) {
      const target = getPath(sha256)
      const folder = dirname(target)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await flushToDisk(path)
      // A file with the same content may exist already: replacing it is harmless.
      await rename(path, target)
      for (const each of [folder, root, dataFolder]) await flushToDisk(each)
    },
    async read(sha256) {
      const path = getPath(sha256)
      const size = await stat(path).then(
        (found) => found.size,
        () => null,
      )
      return size === null ? null : { size, stream: createReadStream(path) }
    },
    remove: (sha256) => rm(getPath(sha256), { force: true }),
  }
}

/**
 * Also for folders: a name is durable only after its folder is flushed. Windows cannot open folders and does not need
 * it.
 */
async function flushToDisk(path: string): Promise<void> {
  const stats = await stat(path)
  if (stats.isDirectory() && process.platform === 'win32') return
  await using file = await open(path, stats.isDirectory() ? 'r' : 'r+')
  await file.sync()
}
