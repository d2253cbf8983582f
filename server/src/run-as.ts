import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { ConfigError } from './config.reader.ts'
import { giveTo } from './platform/database/embedded.account.ts'

/**
 * As root: gives the data folder to the account and becomes it, before anything else is opened. Under any other account
 * nothing happens. Errors: ConfigError where there is no such account, or it cannot read the program.
 */
export function runAs(account: string, dataFolder: string): void {
  if (process.getuid?.() !== 0) return
  const uid = idOf(account, '-u')
  const gid = idOf(account, '-g')
  if (uid === undefined || gid === undefined || uid === 0)
    throw new ConfigError([
      `KARVON_RUN_AS: there is no account ${account} without root's rights. Make it: useradd --system ${account}`,
    ])
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  giveTo(uid, gid, dataFolder)
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
  refuseUnreadable(account, import.meta.dirname, constants.R_OK)
  refuseUnreadable(account, dataFolder, constants.R_OK | constants.W_OK)
}

function idOf(account: string, which: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [which, '--', account], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}

function refuseUnreadable(account: string, folder: string, mode: number): void {
  try {
    accessSync(folder, mode)
  } catch {
    throw new ConfigError([
      `KARVON_RUN_AS: the account ${account} cannot reach ${folder}. Move it to where that account can, such as below /opt or /var/lib.`,
    ])
  }
}
