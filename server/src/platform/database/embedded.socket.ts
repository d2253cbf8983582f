import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Account } from './embedded.account.ts'
import { giveToAccount } from './embedded.cluster.ts'

// Bytes that a socket's path may have on macOS (Linux: 107).
const LONGEST = 103
const PREFIX = 'karvon-'

/**
 * The folder for the socket, 0700 and empty: below `home`, or in the folder for temporary files when
 * the path would be too long. A folder there gets a random name, so that nobody can wait in it.
 */
export function makeSocketFolder(home: string, account: Account): string {
  removeSocketFolder(home)
  const inside = join(home, 'run')
  if (fits(inside)) {
    mkdirSync(inside, { mode: 0o700 })
    giveToAccount(inside, account)
    return inside
  }
  const root = fits(join(tmpdir(), `${PREFIX}xxxxxx`)) ? tmpdir() : '/tmp'
  const outside = mkdtempSync(join(root, PREFIX))
  writeFileSync(note(home), outside)
  giveToAccount(outside, account)
  return outside
}

/** Removes the socket's folder of this or an earlier start. Only while no server runs. */
export function removeSocketFolder(home: string): void {
  rmSync(join(home, 'run'), { recursive: true, force: true })
  const outside = noted(home)
  // The note lies where PostgreSQL's account may write: it must not make root remove anything else.
  const ours = outside !== undefined && [tmpdir(), '/tmp'].includes(dirname(outside))
  if (!ours || !/^karvon-\w{6}$/.test(basename(outside))) return
  rmSync(outside, { recursive: true, force: true })
  rmSync(note(home), { force: true })
}

/** The socket's folder of the server that runs now or ran last; undefined where there is none. */
export function socketFolderOf(home: string): string | undefined {
  const inside = join(home, 'run')
  return existsSync(inside) ? inside : noted(home)
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= LONGEST
}

function note(home: string): string {
  return join(home, 'run-folder')
}

function noted(home: string): string | undefined {
  try {
    return readFileSync(note(home), 'utf8')
  } catch {
    return undefined
  }
}
