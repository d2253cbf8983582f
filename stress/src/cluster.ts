import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount } from '@karvon/server/platform/database/embedded.account.ts'
import { findBinaries, linkLibraries } from '@karvon/server/platform/database/embedded.binaries.ts'
import {
  ensureCluster,
  getClusterPaths,
  type ClusterPaths,
  type Programs,
} from '@karvon/server/platform/database/embedded.cluster.ts'
import { stopOrphanedServers, findServerProcesses } from '@karvon/server/platform/database/embedded.orphan.ts'
import { startServer, type Server } from '@karvon/server/platform/database/embedded.server.ts'
import { makeSocketFolder } from '@karvon/server/platform/database/embedded.socket.ts'

/** A PostgreSQL that is not the product's own: it listens on a port, and its superuser on a socket of its folder. */
export interface Cluster {
  port: number
  places: ClusterPaths
  programs: Programs
  socketFolder: string
  start: () => Promise<void>
  /** kill -9 of all its processes. */
  kill: () => Promise<void>
  /** Fast shutdown. */
  stop: () => Promise<void>
  /** One statement as its superuser. */
  command: <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>
}

// The socket's folder is 0700.
const rules = ['local all all trust', 'local replication all trust', 'host all karvon 127.0.0.1/32 trust', '']

const always = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  wal_keep_size: '512MB',
  // As in production: what is acknowledged is on disk.
  fsync: 'on',
}

/** Makes the files of a PostgreSQL below a folder of its own; `start` starts it. */
export async function newCluster(folder: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const { places, programs } = await placesFor(folder)
  await ensureCluster(places, programs)
  writeFileSync(join(places.cluster, 'pg_hba.conf'), rules.join('\n'))
  return clusterAt(places, programs, settings)
}

/** The places and programs of a PostgreSQL below a folder. */
export async function placesFor(folder: string): Promise<{ places: ClusterPaths; programs: Programs }> {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const places = getClusterPaths(realpathSync(folder))
  mkdirSync(places.home, { recursive: true, mode: 0o700 })
  const binaries = findBinaries()
  const account = chooseAccount(places.home, binaries)
  const environment = await linkLibraries(binaries, join(places.home, 'lib'))
  return { places, programs: { binaries, account, environment } }
}

/** A PostgreSQL whose files are there. */
export async function clusterAt(
  places: ClusterPaths,
  programs: Programs,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const port = await freePort()
  const socketFolder = makeSocketFolder(places.home, programs.account)
  const all = { ...always, port: String(port), ...settings }
  let server: Server | undefined
  const state = { running: false }
  return {
    port,
    places,
    programs,
    socketFolder,
    start: async () => {
      await stopOrphanedServers(places.cluster, () => {})
      server = await startServer(places, programs, socketFolder, all, () => {})
      state.running = true
      void server.ended.then(() => (state.running = false))
    },
    kill: async () => {
      for (
        let left = findServerProcesses(places.cluster);
        left.length > 0;
        left = findServerProcesses(places.cluster)
      ) {
        for (const pid of left) endNow(pid)
        await sleep(20)
      }
      // What was started is no reason for this process to go on, so that its end alone is not waited for.
      while (state.running) await sleep(20)
    },
    stop: async () => server?.stop(),
    command: async <Row extends pg.QueryResultRow>(sql: string) => {
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

/** The address of its database through a port that leads to it. */
export const databaseAt = (port: number): string => `postgresql://karvon@127.0.0.1:${port}/karvon`

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Ended meanwhile.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
