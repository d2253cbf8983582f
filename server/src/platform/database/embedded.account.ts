import { spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Binaries } from './embedded.binaries.ts'

/** The account of PostgreSQL's programs. They refuse root and an account without a name. */
export interface Account {
  /** The words before each command, for example unshare with its options. */
  prefix: string[]
  /** For child_process; empty when the programs run as this process does. */
  ids: { uid?: number; gid?: number }
}

// `nobody` on Linux always exists.
const nobodyId = 65_534
// A user namespace in which the account of this process is named nobody. Outside, its files keep their owner.
const userNamespaceCommand = ['unshare', '--user', `--map-user=${nobodyId}`, `--map-group=${nobodyId}`, '--']

/**
 * Chooses the account and makes it the owner of `home`, the folder of PostgreSQL's files. An ordinary user runs
 * PostgreSQL as itself. Root runs it as the current owner of the files, else as nobody; when nobody cannot enter the
 * folder (below a 0700 folder such as root's home), in a user namespace. Throws an Error that names DATABASE_URL if
 * none of these is possible.
 */
export function chooseAccount(home: string, binaries: Binaries): Account {
  if (process.getuid?.() !== 0)
    return hasAccountName()
      ? getOwnAccount(home)
      : getUserNamespaceAccount(home, 'this user id has no account name')
  const owner = statSync(home)
  const ids = owner.uid === 0 ? { uid: nobodyId, gid: nobodyId } : { uid: owner.uid, gid: owner.gid }
  if (process.platform === 'linux' && canRunPrograms(ids, home, binaries)) {
    changeOwner(ids.uid, ids.gid, home)
    return { prefix: [], ids }
  }
  if (process.platform === 'linux' && !hasUserNamespaces() && openDataFolderToOthers(ids, home, binaries)) {
    changeOwner(ids.uid, ids.gid, home)
    return { prefix: [], ids }
  }
  const account = getUserNamespaceAccount(home, 'other accounts cannot enter its folders')
  changeOwner(0, 0, home)
  return account
}

/** If only the data folder blocks access, lets others enter it. The files in it have their own modes. */
function openDataFolderToOthers(
  ids: { uid: number; gid: number },
  home: string,
  binaries: Binaries,
): boolean {
  const folder = join(home, '..')
  const { mode, uid } = statSync(folder)
  if (uid !== 0 || !canRunPrograms(ids, folder, binaries)) return false
  chmodSync(folder, (mode & 0o7777) | 0o001)
  return canRunPrograms(ids, home, binaries)
}

function hasUserNamespaces(): boolean {
  const [command = '', ...rest] = userNamespaceCommand
  return spawnSync(command, [...rest, 'true'], { stdio: 'ignore' }).status === 0
}

function hasAccountName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function getOwnAccount(home: string): Account {
  const { uid } = statSync(home)
  if (uid !== process.getuid?.()) {
    throw new Error(
      `${home} belongs to another user (uid ${uid}). Start Karvon as that user, or set KARVON_DATA to a folder of your own`,
    )
  }
  return { prefix: [], ids: {} }
}

function getUserNamespaceAccount(home: string, reason: string): Account {
  if (hasUserNamespaces()) return { prefix: userNamespaceCommand, ids: {} }
  throw new Error(
    `The embedded PostgreSQL cannot run for ${home}: ${reason}, and user namespaces (unshare --user) are not allowed here. ` +
      `Move Karvon to a folder that everybody may enter, start it as an ordinary user, or set DATABASE_URL`,
  )
}

/** Starts a process of the account to find out whether it can run the programs and enter the folder of `home`. */
function canRunPrograms(ids: { uid: number; gid: number }, home: string, binaries: Binaries): boolean {
  const testScript = 'test -x "$1" && test -r "$2" && test -x "$3"'
  const probe = [
    '-c',
    testScript,
    'sh',
    binaries.postgres,
    join(binaries.folder, 'share', 'postgresql'),
    join(home, '..'),
  ]
  return spawnSync('/bin/sh', probe, { ...ids, cwd: '/', stdio: 'ignore' }).status === 0
}

/**
 * Changes the owner of a folder and its content. The folder is changed last, so its owner shows that its content is
 * done.
 */
export function changeOwner(uid: number, gid: number, path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const entryPath = join(path, entry.name)
    if (lstatSync(entryPath).uid === uid) continue
    if (entry.isDirectory()) changeOwner(uid, gid, entryPath)
    else lchownSync(entryPath, uid, gid)
  }
  lchownSync(path, uid, gid)
}
