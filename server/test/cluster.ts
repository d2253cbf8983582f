import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount } from '../src/platform/database/embedded.account.ts'
import { findBinaries, linkLibraries, type Binaries } from '../src/platform/database/embedded.binaries.ts'
import {
  ensureCluster,
  getClusterPaths,
  type ClusterPaths,
  type Programs,
} from '../src/platform/database/embedded.cluster.ts'
import { stopOrphanedServers, findServerProcesses } from '../src/platform/database/embedded.orphan.ts'
import { startServer, type Server } from '../src/platform/database/embedded.server.ts'
import { makeSocketFolder } from '../src/platform/database/embedded.socket.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'

/** An external PostgreSQL. It listens on a port, and for its superuser on a socket in its folder. */
export interface Cluster {
  port: number
  paths: ClusterPaths
  programs: Programs
  socketFolder: string
  start: () => Promise<void>
  /** kill -9 of all its processes. */
  kill: () => Promise<void>
  /** Fast shutdown. */
  stop: () => Promise<void>
  /** Runs one statement as the superuser. */
  execute: <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>
}

// The socket's folder is 0700.
const hbaRules = [
  'local all all trust',
  'local replication all trust',
  'host all karvon 127.0.0.1/32 trust',
  '',
]

/** Shared memory in the cluster's folder. In /dev/shm it would outlive a PostgreSQL that is killed. */
export const folderMemory = { dynamic_shared_memory_type: 'mmap' }

const defaultSettings = {
  ...folderMemory,
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  wal_keep_size: '512MB',
  // As in production: an acknowledged commit is on disk.
  fsync: 'on',
}

/** Creates a cluster in a folder. `start` starts it. */
export async function createCluster(
  folder: string,
  settings: Record<string, string> = {},
  binaries = findBinaries(),
): Promise<Cluster> {
  const { paths, programs } = await preparePaths(folder, binaries)
  await ensureCluster(paths, programs)
  writeFileSync(join(paths.cluster, 'pg_hba.conf'), hbaRules.join('\n'))
  return openCluster(paths, programs, settings)
}

/** Prepares the paths and programs of a cluster in a folder. */
export async function preparePaths(
  folder: string,
  binaries: Binaries = findBinaries(),
): Promise<{ paths: ClusterPaths; programs: Programs }> {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const paths = getClusterPaths(realpathSync(folder))
  mkdirSync(paths.home, { recursive: true, mode: 0o700 })
  const account = chooseAccount(paths.home, binaries)
  const environment = await linkLibraries(binaries, join(paths.home, 'lib'))
  return { paths, programs: { binaries, account, environment } }
}

/** Opens a cluster whose files exist. */
export async function openCluster(
  paths: ClusterPaths,
  programs: Programs,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const port = await findFreePort()
  const socketFolder = makeSocketFolder(paths.home, programs.account)
  const allSettings = { ...defaultSettings, port: String(port), ...settings }
  let server: Server | undefined
  const state = { running: false }
  return {
    port,
    paths,
    programs,
    socketFolder,
    start: async () => {
      await stopOrphanedServers(paths.cluster, () => {})
      server = await startServer(paths, { programs, socketFolder, settings: allSettings, log: () => {} })
      state.running = true
      void server.ended.then(() => (state.running = false))
    },
    kill: async () => {
      for (
        let pids = findServerProcesses(paths.cluster);
        pids.length > 0;
        pids = findServerProcesses(paths.cluster)
      ) {
        for (const pid of pids) killProcess(pid)
        await sleep(20)
      }
      // The child process does not keep this process alive, so awaiting its end alone could end this process.
      while (state.running) await sleep(20)
    },
    stop: async () => server?.stop(),
    execute: async <Row extends pg.QueryResultRow>(sql: string) => {
      const client = new pg.Client({ host: socketFolder, port, user: 'postgres', database: 'karvon' })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end()
      }
    },
  }
}

/** The URL of the database on this port. */
export const buildClusterUrl = (port: number): string => `postgresql://karvon@127.0.0.1:${port}/karvon`

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
