import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Account } from './embedded.account.ts'
import { changeFolderOwner } from './embedded.cluster.ts'

// The maximum bytes of a socket's path on macOS. Linux allows 107.
const maxPathBytes = 103
const folderPrefix = 'karvon-'

/**
 * Creates the empty 0700 folder of the socket: below `home`, or in the temporary folder when the path would be too
 * long or has a comma. There its name is random, so that no other user can prepare it.
 */
export function makeSocketFolder(home: string, account: Account): string {
  removeSocketFolder(home)
  const folder = join(home, 'run')
  if (canHoldSocket(folder)) {
    mkdirSync(folder, { mode: 0o700 })
    changeFolderOwner(folder, account)
    return folder
  }
  const root = canHoldSocket(join(tmpdir(), `${folderPrefix}xxxxxx`)) ? tmpdir() : '/tmp'
  const temporaryFolder = mkdtempSync(join(root, folderPrefix))
  writeFileSync(getLocationPath(home), temporaryFolder)
  changeFolderOwner(temporaryFolder, account)
  return temporaryFolder
}

/** Removes the folder of this or an earlier start. Call this only while no server runs. */
export function removeSocketFolder(home: string): void {
  rmSync(join(home, 'run'), { recursive: true, force: true })
  const temporaryFolder = readLocation(home)
  // PostgreSQL's account can write the file with this path, so root must not remove every folder that it names.
  const isOwnFolder = temporaryFolder !== undefined && [tmpdir(), '/tmp'].includes(dirname(temporaryFolder))
  if (!isOwnFolder || !/^karvon-\w{6}$/.test(basename(temporaryFolder))) return
  rmSync(temporaryFolder, { recursive: true, force: true })
  rmSync(getLocationPath(home), { force: true })
}

/** The folder of the current or the last server; undefined if there is none. */
export function findSocketFolder(home: string): string | undefined {
  const folder = join(home, 'run')
  return existsSync(folder) ? folder : readLocation(home)
}

/** PostgreSQL and its clients read a comma as the end of the path. */
function canHoldSocket(folder: string): boolean {
  return !folder.includes(',') && Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= maxPathBytes
}

/** The file with the path of a socket folder that is not below `home`. */
function getLocationPath(home: string): string {
  return join(home, 'run-folder')
}

function readLocation(home: string): string | undefined {
  try {
    return readFileSync(getLocationPath(home), 'utf8')
  } catch {
    return undefined
  }
}
