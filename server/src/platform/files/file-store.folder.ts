import { randomUUID } from 'node:crypto'
import { copyFile, open, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from './file-store.ts'
import { flushToDisk } from './flush-to-disk.ts'
import { makeFolder } from './make-folder.ts'
import { requireSha256 } from './sha256.ts'

export interface FolderStore extends FileStore {
  getPath(sha256: string): string
}

/** Opens the store in `files/` below a folder, with a subfolder for each first two digits of a SHA-256. */
export function openFolderStore(storeFolder: string): FolderStore {
  const root = join(storeFolder, 'files')
  const markPath = join(storeFolder, 'data-folder')
  const getPath = (sha256: string) => join(root, requireSha256(sha256).slice(0, 2), sha256)
  return {
    getPath,
    describe: getPath,
    async store(path, sha256) {
      const target = getPath(sha256)
      const folder = dirname(target)
      await makeFolder(folder, 0o700)
      await flushToDisk(path)
      await moveFile(path, target)
      for (const directory of [folder, root, storeFolder]) await flushToDisk(directory)
      return target
    },
    withPath: (sha256, work) => work(getPath(sha256)),
    async read(sha256) {
      const file = await openIfExists(getPath(sha256))
      if (file === null) return null
      try {
        const { size } = await file.stat()
        // The file is open, so the stream has no error before the caller reads it.
        return { size, stream: file.createReadStream() }
      } catch (error) {
        await file.close()
        throw error
      }
    },
    remove: (sha256) => rm(getPath(sha256), { force: true }),
    async readMark() {
      // A mark that cannot be read counts as missing.
      const text = await readFile(markPath, 'utf8').catch(() => '')
      return text.trim() || null
    },
    async writeMark(mark) {
      await makeFolder(storeFolder, 0o700)
      await writeFile(`${markPath}.${process.pid}`, `${mark}\n`, { mode: 0o600, flush: true })
      await rename(`${markPath}.${process.pid}`, markPath)
      await flushToDisk(storeFolder)
    },
    mayHaveOldFiles: () =>
      stat(root).then(
        () => true,
        () => false,
      ),
  }
}

async function openIfExists(path: string): Promise<FileHandle | null> {
  try {
    return await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Moves a file to `target`, which may exist with the same content. A file of another file system is copied first. */
async function moveFile(path: string, target: string): Promise<void> {
  try {
    await rename(path, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const copy = `${target}.${randomUUID()}`
    try {
      await copyFile(path, copy)
      await flushToDisk(copy)
      await rename(copy, target)
    } finally {
      await rm(copy, { force: true })
    }
    await rm(path, { force: true })
  }
}
