import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '../platform/files/file-store.ts'
import { makeFolder } from '../platform/files/make-folder.ts'

/** Stores a copy of a file, because a store in a folder moves the file that it gets. */
export async function storeCopy(
  store: FileStore,
  { path, sha256, dataFolder }: { path: string; sha256: string; dataFolder: string },
): Promise<void> {
  const incoming = join(dataFolder, 'incoming')
  await makeFolder(incoming, 0o700)
  const copy = join(incoming, sha256)
  try {
    await copyFile(path, copy)
    await store.store(copy, sha256)
  } finally {
    await rm(copy, { force: true })
  }
}
