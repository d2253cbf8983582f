import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { changeFolderOwner } from '../src/platform/database/embedded.cluster.ts'
import { openCluster, preparePaths, type Cluster } from './cluster.ts'

/**
 * Creates a standby of a running primary in `folder` from a base backup, and starts it. From now on the primary
 * acknowledges a commit only when the standby has it on disk.
 */
export async function startStandby(
  primary: Cluster,
  folder: string,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const standby = await startReplica(primary, folder, settings)
  await primary.execute(`alter system set synchronous_standby_names = 'standby'`)
  await primary.execute('select pg_reload_conf()')
  await waitUntilSynchronous(primary)
  return standby
}

/** The same without the wait of the primary: the standby may be behind. */
export async function startReplica(
  primary: Cluster,
  folder: string,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const { paths, programs } = await preparePaths(folder)
  const backup = new pg.Client({
    host: primary.socketFolder,
    port: primary.port,
    user: 'postgres',
    database: 'karvon',
  })
  await backup.connect()
  await backup.query(`select pg_backup_start('standby', true)`)
  mkdirSync(paths.cluster, { mode: 0o700 })
  // Files may change during the copy. The write-ahead log from the start of the backup repairs them.
  spawnSync('cp', ['-a', `${primary.paths.cluster}/.`, paths.cluster], { stdio: 'ignore' })
  const { rows } = await backup.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)')
  await backup.end()
  for (const name of ['postmaster.pid', 'postmaster.opts', 'recovery.signal'])
    rmSync(join(paths.cluster, name), { force: true })
  rmSync(join(paths.cluster, 'pg_wal'), { recursive: true, force: true })
  spawnSync('cp', ['-a', join(primary.paths.cluster, 'pg_wal'), paths.cluster], { stdio: 'ignore' })
  const primaryInfo = `host=${primary.socketFolder} port=${primary.port} user=postgres application_name=standby`
  const files = {
    backup_label: rows[0]?.labelfile ?? '',
    'standby.signal': '',
    // Without the primary's settings, because a promoted standby must not wait for another standby.
    'postgresql.auto.conf': `primary_conninfo = '${primaryInfo}'\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(paths.cluster, name), text)
    changeFolderOwner(join(paths.cluster, name), programs.account)
  }
  changeFolderOwner(paths.cluster, programs.account)
  const standby = await openCluster(paths, programs, settings)
  await standby.start()
  return standby
}

async function waitUntilSynchronous(primary: Cluster): Promise<void> {
  const text = `select 1 from pg_stat_replication where application_name = 'standby' and sync_state = 'sync'`
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if ((await primary.execute(text)).length > 0) return
    await sleep(100)
  }
  throw new Error('The standby did not become synchronous within a minute')
}

/** Promotes a standby. Resolves when it accepts writes. */
export async function promote(standby: Cluster): Promise<void> {
  await standby.execute('select pg_promote(true, 60)')
}
