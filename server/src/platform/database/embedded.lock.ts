import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

export interface FolderLock {
  release(): void
}

// SQLITE_BUSY, from SQLite's result codes.
const BUSY = 5
// A server that was told to stop needs a moment; only then is the folder taken for occupied. Milliseconds.
const PATIENCE = 2000

/**
 * Takes the data folder for this process alone. The lock is SQLite's own exclusive file lock, so the
 * kernel releases it however the process ends, and nothing stale can stay behind.
 * Throws, with the pid of the holder and the remedy, while another process has it.
 */
export async function lockFolder(folder: string, patience = PATIENCE): Promise<FolderLock> {
  const deadline = performance.now() + patience
  for (;;) {
    const held = tryLock(join(folder, 'karvon.lock'))
    if (held !== undefined) {
      const pidFile = join(folder, 'karvon.pid')
      writeFileSync(pidFile, `${process.pid}\n`)
      return { release: () => held.close() }
    }
    if (performance.now() >= deadline) throw new Error(occupied(folder))
    await sleep(100)
  }
}

function tryLock(path: string): DatabaseSync | undefined {
  // Who may read the file could lock it. Never opened otherwise: closing it would give up a lock that this process has.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    return file
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode === BUSY) return undefined
    throw error
  }
}

function occupied(folder: string): string {
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
