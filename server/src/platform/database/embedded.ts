import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount } from './embedded.account.ts'
import { findBinaries, linkLibraries } from './embedded.binaries.ts'
import type { Binaries } from './embedded.binaries.ts'
import { ensureCluster, getClusterPaths } from './embedded.cluster.ts'
import type { ClusterPaths, Programs } from './embedded.cluster.ts'
import { startLogRotation } from './embedded.log.ts'
import { lockFolder } from './embedded.lock.ts'
import { stopOrphanedServers } from './embedded.orphan.ts'
import { buildEmbeddedUrl } from './embedded.running.ts'
import { startServer } from './embedded.server.ts'
import type { Server } from './embedded.server.ts'
import { makeFolder } from '../files/make-folder.ts'
import { makeSocketFolder, removeSocketFolder } from './embedded.socket.ts'

export interface EmbeddedOptions {
  /** KARVON_DATA; created if missing. PostgreSQL's files are in `postgres/` below it. */
  folder: string
  log: (message: string) => void
  /** Programs of another PostgreSQL, for example `findBinaries('postgres-15-linux-x64')`. */
  binaries?: Binaries
  /** Further settings of PostgreSQL, for example `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
}

export interface Embedded {
  /** For `openPool` and `migrate`. Holds a password: never log it. */
  url: string
  /** The pid of the server. It changes after a crash of PostgreSQL. */
  pid(): number
  /** Fast shutdown. Resolves when PostgreSQL has ended and the folder is unlocked. A second call is harmless. */
  stop(): Promise<void>
}

/**
 * Starts the embedded PostgreSQL on a Unix socket that only this account can use. After a crash it starts again at
 * the same address. It ends with this process. Throws an Error that names the remedy: the folder is in use, or
 * PostgreSQL cannot run.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log } = options
  const binaries = options.binaries ?? findBinaries()
  const folder = await openDataFolder(options.folder)
  const lock = await lockFolder(folder)
  let stopLogRotation = () => {}
  try {
    const paths = getClusterPaths(folder)
    await makeFolder(paths.home, 0o700)
    await stopOrphanedServers(paths.cluster, log)
    const account = chooseAccount(paths.home, binaries)
    const environment = await linkLibraries(binaries, join(paths.home, 'lib'))
    const programs: Programs = { binaries, account, environment }
    const password = await ensureCluster(paths, programs)
    const socketFolder = makeSocketFolder(paths.home, account)
    const supervisor = new ServerSupervisor(paths, log, () =>
      startServer(paths, { programs, socketFolder, settings: options.settings ?? {}, log }),
    )
    stopLogRotation = startLogRotation(paths.log)
    await supervisor.start()
    const stop = async () => {
      stopLogRotation()
      await supervisor.stop()
      removeSocketFolder(paths.home)
      lock.release()
    }
    let stopping: Promise<void> | undefined
    return {
      url: buildEmbeddedUrl(password, socketFolder),
      pid: () => supervisor.pid(),
      stop: () => (stopping ??= stop()),
    }
  } catch (error) {
    stopLogRotation()
    lock.release()
    throw error
  }
}

async function openDataFolder(path: string): Promise<string> {
  try {
    // If root starts Karvon, PostgreSQL's account must be able to enter `postgres/`. Secret files have their own modes.
    await makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    const owner = statSync(path, { throwIfNoEntry: false })?.uid
    const ownerHint =
      owner === undefined || owner === process.getuid?.() ? '' : ` It belongs to another user (uid ${owner}).`
    throw new Error(
      `The data folder ${path} cannot be used: ${(error as Error).message}.${ownerHint} ` +
        `Start Karvon as the user that the folder belongs to, or set KARVON_DATA to a folder of your own`,
      { cause: error },
    )
  }
}

// Milliseconds between two restarts. On a full disk each start fails at once, so the wait stays short: the server is
// back soon after space is free.
const maxRestartWait = 1000

/** Restarts the server after a crash, until `stop` is called. */
class ServerSupervisor {
  readonly #paths: ClusterPaths
  readonly #log: (message: string) => void
  readonly #launch: () => Promise<Server>
  #server: Server | undefined
  #restarting: Promise<void> | undefined
  #stopping = false

  constructor(paths: ClusterPaths, log: (message: string) => void, launch: () => Promise<Server>) {
    this.#paths = paths
    this.#log = log
    this.#launch = launch
  }

  pid(): number {
    return this.#server?.pid ?? 0
  }

  async start(): Promise<void> {
    const server = await this.#launch()
    this.#server = server
    void this.#watch(server)
  }

  async #watch(server: Server): Promise<void> {
    await server.ended
    if (!this.#stopping) this.#restarting = this.#restart()
  }

  async #restart(): Promise<void> {
    for (let wait = 100; !this.#stopping; wait = Math.min(wait * 2, maxRestartWait)) {
      this.#log('PostgreSQL ended unexpectedly: starting it again.')
      try {
        await stopOrphanedServers(this.#paths.cluster, this.#log)
        return await this.start()
      } catch (error) {
        this.#log(error instanceof Error ? error.message : String(error))
      }
      await sleep(wait)
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#restarting
    await this.#server?.stop()
  }
}
