import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { changeFolderOwner } from '@karvon/server/platform/database/embedded.cluster.ts'
import { clusterAt, placesFor, type Cluster } from './cluster.ts'

/**
 * Makes and starts a standby of a running primary below `folder`, by a base backup, and lets the primary acknowledge
 * nothing from now on that the standby has not on its disk.
 */
export async function standbyOf(primary: Cluster, folder: string): Promise<Cluster> {
  const { places, programs } = await placesFor(folder)
  const backup = new pg.Client({
    host: primary.socketFolder,
    port: primary.port,
    user: 'postgres',
    database: 'karvon',
  })
  await backup.connect()
  await backup.query(`select pg_backup_start('standby', true)`)
  mkdirSync(places.cluster, { mode: 0o700 })
  // Files come and go meanwhile; what was copied half is mended by the log from the backup's start on.
  spawnSync('cp', ['-a', `${primary.places.cluster}/.`, places.cluster], { stdio: 'ignore' })
  const { rows } = await backup.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)')
  await backup.end()
  for (const left of ['postmaster.pid', 'postmaster.opts', 'recovery.signal'])
    rmSync(join(places.cluster, left), { force: true })
  rmSync(join(places.cluster, 'pg_wal'), { recursive: true, force: true })
  spawnSync('cp', ['-a', join(primary.places.cluster, 'pg_wal'), places.cluster], { stdio: 'ignore' })
  const from = `host=${primary.socketFolder} port=${primary.port} user=postgres application_name=standby`
  const files = {
    backup_label: rows[0]?.labelfile ?? '',
    'standby.signal': '',
    // Not the primary's: a standby that is promoted waits for none until it is told to.
    'postgresql.auto.conf': `primary_conninfo = '${from}'\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(places.cluster, name), text)
    changeFolderOwner(join(places.cluster, name), programs.account)
  }
  changeFolderOwner(places.cluster, programs.account)
  const standby = await clusterAt(places, programs)
  await standby.start()
  await primary.command(`alter system set synchronous_standby_names = 'standby'`)
  await primary.command('select pg_reload_conf()')
  await untilSynchronous(primary)
  return standby
}

async function untilSynchronous(primary: Cluster): Promise<void> {
  const text = `select 1 from pg_stat_replication where application_name = 'standby' and sync_state = 'sync'`
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await primary.command(text)).length > 0) return
    await sleep(100)
  }
  throw new Error('The standby did not become synchronous within a minute')
}

/** Makes a standby the primary; resolves once it takes changes. */
export async function promote(standby: Cluster): Promise<void> {
  await standby.command('select pg_promote(true, 60)')
}
