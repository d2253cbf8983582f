import { spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Binaries } from './embedded.binaries.ts'

/** As whom PostgreSQL's programs run. They refuse root and an account without a name. */
export interface Account {
  /** Goes before each command, e.g. unshare and its options. */
  prefix: string[]
  /** For child_process; empty when the programs run as this process does. */
  ids: { uid?: number; gid?: number }
}

// `nobody` on Linux: needs no account to be made.
const NOBODY = 65_534
// A user name space in which this process's own account is called nobody; its files stay its own outside.
const RENAMED = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']

/**
 * Chooses the account and gives it `home`, the folder that PostgreSQL keeps its files in.
 * An ordinary person runs PostgreSQL as themselves. Root runs it as the owner that the files already
 * have, else as nobody; where nobody cannot come (below a 0700 folder such as root's home), in a user
 * name space. Throws, naming DATABASE_URL, where none of these is possible.
 */
export function chooseAccount(home: string, binaries: Binaries): Account {
  if (process.getuid?.() !== 0)
    return hasName() ? own(home) : renamed(home, 'this user id has no account name')
  const owner = statSync(home)
  const ids = owner.uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid: owner.uid, gid: owner.gid }
  if (process.platform === 'linux' && reaches(ids, home, binaries)) {
    giveTo(ids.uid, ids.gid, home)
    return { prefix: [], ids }
  }
  if (process.platform === 'linux' && !mayRename() && opened(ids, home, binaries)) {
    giveTo(ids.uid, ids.gid, home)
    return { prefix: [], ids }
  }
  const account = renamed(home, 'other accounts cannot come into its folders')
  giveTo(0, 0, home)
  return account
}

/** Where the data folder alone is in the way, lets others pass through it; what is in it has modes of its own. */
function opened(ids: { uid: number; gid: number }, home: string, binaries: Binaries): boolean {
  const folder = join(home, '..')
  const { mode, uid } = statSync(folder)
  if (uid !== 0 || !reaches(ids, folder, binaries)) return false
  chmodSync(folder, (mode & 0o7777) | 0o001)
  return reaches(ids, home, binaries)
}

function mayRename(): boolean {
  const [command = '', ...rest] = RENAMED
  return spawnSync(command, [...rest, 'true'], { stdio: 'ignore' }).status === 0
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function own(home: string): Account {
  const { uid } = statSync(home)
  if (uid !== process.getuid?.()) {
    throw new Error(
      `${home} belongs to another user (uid ${uid}). Start Karvon as that user, or set KARVON_DATA to a folder of your own`,
    )
  }
  return { prefix: [], ids: {} }
}

function renamed(home: string, why: string): Account {
  if (mayRename()) return { prefix: RENAMED, ids: {} }
  throw new Error(
    `The built-in PostgreSQL cannot run for ${home}: ${why}, and user name spaces (unshare --user) are not allowed here. ` +
      `Move Karvon to a folder that everybody may enter, start it as an ordinary user, or set DATABASE_URL`,
  )
}

/** Whether the account can run the programs and enter the folder that holds `home`. Asked of the kernel itself. */
function reaches(ids: { uid: number; gid: number }, home: string, binaries: Binaries): boolean {
  const script = 'test -x "$1" && test -r "$2" && test -x "$3"'
  const probe = [
    '-c',
    script,
    'sh',
    binaries.postgres,
    join(binaries.folder, 'share', 'postgresql'),
    join(home, '..'),
  ]
  return spawnSync('/bin/sh', probe, { ...ids, cwd: '/', stdio: 'ignore' }).status === 0
}

/** Gives the folder and all in it to the account. A folder comes after what it holds, so its owner tells for all. */
export function giveTo(uid: number, gid: number, path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (lstatSync(inner).uid === uid) continue
    if (entry.isDirectory()) giveTo(uid, gid, inner)
    else lchownSync(inner, uid, gid)
  }
  lchownSync(path, uid, gid)
}
