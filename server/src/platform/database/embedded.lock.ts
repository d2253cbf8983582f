import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

export interface FolderLock {
  release(): void
}

// SQLITE_BUSY, from SQLite's result codes.
const busyCode = 5
// Milliseconds. A server that is stopping needs a moment before it releases the folder.
const defaultTimeout = 2000

/**
 * Locks the data folder for this process. The lock is SQLite's exclusive file lock: the kernel releases it when the
 * process ends in any way, so no stale lock can remain. Throws an Error with the pid of the holder and the remedy
 * while another process has the lock.
 */
export async function lockFolder(folder: string, timeout = defaultTimeout): Promise<FolderLock> {
  const deadline = performance.now() + timeout
  for (;;) {
    const lockFile = tryLockFile(join(folder, 'karvon.lock'))
    if (lockFile !== undefined) {
      const pidFile = join(folder, 'karvon.pid')
      writeFileSync(pidFile, `${process.pid}\n`)
      return { release: () => lockFile.close() }
    }
    if (performance.now() >= deadline) throw new Error(describeHolder(folder))
    await sleep(100)
  }
}

function tryLockFile(path: string): DatabaseSync | undefined {
  // Mode 0600, because a reader could lock the file. An existing file is not opened here: closing it would release the
  // lock of this process.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    return file
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode === busyCode) return undefined
    throw error
  }
}

function describeHolder(folder: string): string {
  let pid = 'unknown'
  try {
    pid = readFileSync(join(folder, 'karvon.pid'), 'utf8').trim()
  } catch {
    // The holder has not written it yet.
  }
  return (
    `Another Karvon is running on this folder (pid ${pid}, ${folder}). ` +
    `Stop it, or set KARVON_DATA to another folder, or DATABASE_URL to a PostgreSQL that both can use`
  )
}
