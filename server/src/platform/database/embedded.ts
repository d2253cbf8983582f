import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount } from './embedded.account.ts'
import { findBinaries, linkLibraries } from './embedded.binaries.ts'
import type { Binaries } from './embedded.binaries.ts'
import { ensureCluster, placesIn } from './embedded.cluster.ts'
import type { Places, Programs } from './embedded.cluster.ts'
import { keepLogSmall } from './embedded.log.ts'
import { lockFolder } from './embedded.lock.ts'
import { clearOrphans } from './embedded.orphan.ts'
import { addressOf } from './embedded.running.ts'
import { startServer } from './embedded.server.ts'
import type { Server } from './embedded.server.ts'
import { makeSocketFolder, removeSocketFolder } from './embedded.socket.ts'

export interface EmbeddedOptions {
  /** KARVON_DATA. PostgreSQL's files go into `postgres/` below it; it is made if missing. */
  folder: string
  log: (message: string) => void
  /** Programs of another PostgreSQL, e.g. `findBinaries('postgres-15-linux-x64')`. */
  binaries?: Binaries
  /** Further settings of PostgreSQL, e.g. `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
}

export interface Embedded {
  /** For `openPool` and `migrate`. Holds a password: never log it. */
  url: string
  /** The server's process now; another one after a crash of PostgreSQL. */
  pid(): number
  /** Fast shutdown; resolves when PostgreSQL has ended and the folder is free. May be called again. */
  stop(): Promise<void>
}

/**
 * Starts the built-in PostgreSQL on a Unix socket that this account alone can use, and keeps it
 * running: if it crashes it is started again at the same address. It never outlives this process.
 * Throws an Error that names the remedy: the folder is in use, or PostgreSQL cannot run here.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log } = options
  const binaries = options.binaries ?? findBinaries()
  const folder = openFolder(options.folder)
  const lock = await lockFolder(folder)
  try {
    const places = placesIn(folder)
    mkdirSync(places.home, { recursive: true, mode: 0o700 })
    await clearOrphans(places.cluster, log)
    const account = chooseAccount(places.home, binaries)
    const environment = await linkLibraries(binaries, join(places.home, 'lib'))
    const programs: Programs = { binaries, account, environment }
    const password = await ensureCluster(places, programs)
    const socketFolder = makeSocketFolder(places.home, account)
    const keeper = new Keeper(places, log, () =>
      startServer(places, programs, socketFolder, options.settings ?? {}, log),
    )
    const letLogGrow = keepLogSmall(places.log)
    await keeper.start()
    const stop = async () => {
      await keeper.stop()
      letLogGrow()
      removeSocketFolder(places.home)
      lock.release()
    }
    let stopped: Promise<void> | undefined
    return {
      url: addressOf(password, socketFolder),
      pid: () => keeper.pid(),
      stop: () => (stopped ??= stop()),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function openFolder(path: string): string {
  try {
    // As root others must be able to pass through to `postgres/`; what is secret has its own mode.
    mkdirSync(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    const owner = statSync(path, { throwIfNoEntry: false })?.uid
    const whose =
      owner === undefined || owner === process.getuid?.() ? '' : ` It belongs to another user (uid ${owner}).`
    throw new Error(
      `The data folder ${path} cannot be used: ${(error as Error).message}.${whose} ` +
        `Start Karvon as the user that the folder belongs to, or set KARVON_DATA to a folder of your own`,
      { cause: error },
    )
  }
}

// Milliseconds between two attempts: with a full disk it ends at once each time, and is back soon after there is room.
const longestWait = 1000

/** Keeps one server running until it is told to stop. */
class Keeper {
  readonly #places: Places
  readonly #log: (message: string) => void
  readonly #launch: () => Promise<Server>
  #server: Server | undefined
  #restarting: Promise<void> | undefined
  #stopping = false

  constructor(places: Places, log: (message: string) => void, launch: () => Promise<Server>) {
    this.#places = places
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
    for (let wait = 100; !this.#stopping; wait = Math.min(wait * 2, longestWait)) {
      this.#log('PostgreSQL ended unexpectedly: starting it again.')
      try {
        await clearOrphans(this.#places.cluster, this.#log)
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
