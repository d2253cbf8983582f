import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { ConfigError } from './config.reader.ts'
import { changeOwner } from './platform/database/embedded.account.ts'
import { makeFolder } from './platform/files/make-folder.ts'

/**
 * Under root: makes the account the owner of the folders and switches this process to it, before anything is
 * opened. Under any other account nothing happens. Errors: ConfigError when the account does not exist or cannot read
 * the program.
 */
export async function switchAccount(account: string, folders: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  const uid = readAccountId(account, '-u')
  const gid = readAccountId(account, '-g')
  if (uid === undefined || gid === undefined || uid === 0)
    throw new ConfigError([
      `KARVON_RUN_AS: there is no account ${account} without root's rights. Make it: useradd --system ${account}`,
    ])
  for (const folder of folders) {
    await makeFolder(folder, 0o700)
    changeOwner(uid, gid, folder)
  }
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
  requireAccess(account, import.meta.dirname, constants.R_OK)
  for (const folder of folders) requireAccess(account, folder, constants.R_OK | constants.W_OK)
}

function readAccountId(account: string, option: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [option, '--', account], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}

function requireAccess(account: string, folder: string, mode: number): void {
  try {
    accessSync(folder, mode)
  } catch {
    throw new ConfigError([
      `KARVON_RUN_AS: the account ${account} cannot reach ${folder}. Move it to where that account can, such as below /opt or /var/lib.`,
    ])
  }
}
