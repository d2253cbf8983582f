import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Account } from './embedded.account.ts'
import { changeFolderOwner } from './embedded.cluster.ts'

// Bytes of a socket's path on macOS (Linux: 107).
const MAX_PATH_BYTES = 103
const PREFIX = 'karvon-'

/**
 * Creates the empty 0700 folder of the socket: below `home`, or in the temporary folder when the path would be too
 * long. There its name is random, so that no other user can prepare it.
 */
export function makeSocketFolder(home: string, account: Account): string {
  removeSocketFolder(home)
  const folder = join(home, 'run')
  if (isShortEnough(folder)) {
    mkdirSync(folder, { mode: 0o700 })
    changeFolderOwner(folder, account)
    return folder
  }
  const root = isShortEnough(join(tmpdir(), `${PREFIX}xxxxxx`)) ? tmpdir() : '/tmp'
  const temporaryFolder = mkdtempSync(join(root, PREFIX))
  writeFileSync(getNotePath(home), temporaryFolder)
  changeFolderOwner(temporaryFolder, account)
  return temporaryFolder
}

/** Removes the folder of this or an earlier start. Call this only while no server runs. */
export function removeSocketFolder(home: string): void {
  rmSync(join(home, 'run'), { recursive: true, force: true })
  const temporaryFolder = readNote(home)
  // PostgreSQL's account can write this note, so root must not remove any other folder because of it.
  const isOwnFolder = temporaryFolder !== undefined && [tmpdir(), '/tmp'].includes(dirname(temporaryFolder))
  if (!isOwnFolder || !/^karvon-\w{6}$/.test(basename(temporaryFolder))) return
  rmSync(temporaryFolder, { recursive: true, force: true })
  rmSync(getNotePath(home), { force: true })
}

/** The folder of the current or the last server; undefined if there is none. */
export function findSocketFolder(home: string): string | undefined {
  const folder = join(home, 'run')
  return existsSync(folder) ? folder : readNote(home)
}

function isShortEnough(folder: string): boolean {
  return Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= MAX_PATH_BYTES
}

function getNotePath(home: string): string {
  return join(home, 'run-folder')
}

function readNote(home: string): string | undefined {
  try {
    return readFileSync(getNotePath(home), 'utf8')
  } catch {
    return undefined
  }
}
