import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Files by the SHA-256 of their bytes. A person's own name for a file never becomes a path. */
export interface FileStore {
  /** Takes a file over from where it lies, on the same disk; once this returns it outlives a power cut. */
  keep(path: string, sha256: string): Promise<void>
  /** Where a kept file lies. */
  pathOf(sha256: string): string
  /** A kept file and its size in bytes; null when it is not there. */
  read(sha256: string): Promise<{ size: number; stream: Readable } | null>
  /** Removes a kept file; one that is not there is no error. */
  remove(sha256: string): Promise<void>
}

/** The store in `files/` below the data folder, a folder for each first two digits. */
export function openFileStore(dataFolder: string): FileStore {
  const root = join(dataFolder, 'files')
  const pathOf = (sha256: string) => {
    if (!/^[\da-f]{64}$/.test(sha256)) throw new Error(`${sha256} is no SHA-256`)
    return join(root, sha256.slice(0, 2), sha256)
  }
  return {
    pathOf,
    async keep(path, sha256) {
      const place = pathOf(sha256)
      const folder = dirname(place)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await sync(path)
      // The same bytes may lie there already: replacing them with themselves harms nobody.
      await rename(path, place)
      for (const each of [folder, root, dataFolder]) await sync(each)
    },
    async read(sha256) {
      const path = pathOf(sha256)
      const size = await stat(path).then(
        (found) => found.size,
        () => null,
      )
      return size === null ? null : { size, stream: createReadStream(path) }
    },
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
  }
}

/** Of a folder too: a name is durable only once its folder is. Windows cannot open folders, and need not. */
async function sync(path: string): Promise<void> {
  const found = await stat(path)
  if (found.isDirectory() && process.platform === 'win32') return
  await using file = await open(path, found.isDirectory() ? 'r' : 'r+')
  await file.sync()
}
