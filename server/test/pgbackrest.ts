import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeFolderOwner } from '../src/platform/database/embedded.cluster.ts'
import { findBinaries, type Binaries } from '../src/platform/database/embedded.binaries.ts'
import { createCluster, type Cluster } from './cluster.ts'

const waitingSegmentsText = `select name from pg_ls_archive_statusdir() where name like '%.ready'`
const shippedFile = join(import.meta.dirname, '..', '..', 'deploy', 'pgbackrest', 'pgbackrest.conf')

/** Why no cluster can be backed up on this machine; undefined if one can. */
export const missingPgbackrest = findMissing()

function findMissing(): string | undefined {
  if (spawnSync('pgbackrest', ['version']).status !== 0)
    return 'pgBackRest is not installed: apt-get install pgbackrest'
  return findPostgres15() === undefined ? 'The package postgres-15-linux-x64 is not installed' : undefined
}

/** pgBackRest 2.45 of Debian 12 knows PostgreSQL up to version 15. */
function findPostgres15(): Binaries | undefined {
  try {
    return findBinaries('postgres-15-linux-x64')
  } catch {
    return undefined
  }
}

export interface ArchivedCluster extends Cluster {
  /** Runs a command of pgBackRest, such as `backup`, as the account of PostgreSQL. Throws its output if it fails. */
  pgbackrest: (...args: string[]) => Promise<void>
  /** Resolves when the repository has all changes until now, and the archiver has no work. */
  archive: () => Promise<void>
}

/** Creates a cluster that archives its write-ahead log, with the configuration file of docs/operations/backup.md in `folder`. */
export async function createArchivedCluster(folder: string): Promise<ArchivedCluster> {
  const configuration = join(folder, 'pgbackrest.conf')
  const command = ['pgbackrest', `--config=${configuration}`, '--stanza=karvon']
  const archive_command = `${command.join(' ')} archive-push %p`
  const settings = { fsync: 'off', archive_mode: 'on', archive_command }
  const cluster = await createCluster(folder, settings, findPostgres15())
  writeFileSync(configuration, adaptConfiguration(folder, cluster))
  const { prefix, ids } = cluster.programs.account
  const pgbackrest = async (...args: string[]) => {
    const [program = '', ...rest] = [...prefix, ...command, ...args]
    const child = spawn(program, rest, { ...ids, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    if ((await exit) !== 0) throw new Error(`pgbackrest ${args.join(' ')} failed:\n${output}${errors}`)
  }
  const archive = async () => {
    await pgbackrest('check')
    // A command of the archiver outlives a kill of PostgreSQL by a minute.
    while ((await cluster.execute(waitingSegmentsText)).length > 0) await sleep(20)
  }
  return { ...cluster, pgbackrest, archive }
}

/** The shipped configuration with the folders of the test, which it creates, and a password. */
function adaptConfiguration(folder: string, cluster: Cluster): string {
  const createFolder = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700 })
    changeFolderOwner(path, cluster.programs.account)
    return path
  }
  const values = {
    'repo1-path': createFolder('repository'),
    'repo1-cipher-pass': 'password of the repository',
    'spool-path': createFolder('spool'),
    'log-path': createFolder('log'),
    'lock-path': createFolder('lock'),
    'pg1-path': cluster.paths.cluster,
    'pg1-socket-path': cluster.socketFolder,
    'pg1-port': String(cluster.port),
  }
  return Object.entries(values).reduce(
    (configuration, [name, value]) => {
      const line = new RegExp(`^${name}=.*$`, 'm')
      if (!line.test(configuration)) throw new Error(`${shippedFile} has no line ${name}`)
      return configuration.replace(line, `${name}=${value}`)
    },
    readFileSync(shippedFile, 'utf8'),
  )
}
