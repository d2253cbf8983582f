import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getLogSize } from './embedded.log.ts'
import { buildProgramEnvironment } from './embedded.cluster.ts'
import type { ClusterPaths, Programs } from './embedded.cluster.ts'

export interface Server {
  pid: number
  /** Resolves when PostgreSQL has ended in any way. */
  ended: Promise<void>
  /** Fast shutdown: open transactions are rolled back, committed ones stay. */
  stop(): Promise<void>
}

// The watchdog runs in its own session, so neither Ctrl-C nor a kill of Node's process group reaches it or
// PostgreSQL. Its standard input closes when Node ends in any way. Then it sends SIGINT (fast shutdown) to PostgreSQL
// until PostgreSQL has ended; an early signal may be lost before PostgreSQL listens.
const watchdogScript = `
exec 3<&0 </dev/null
"$@" 3<&- >&2 &
server=$!
echo "$server"
{ read -r _ <&3; while kill -INT "$server" 2>/dev/null; do sleep 0.5; done; } >/dev/null &
watch=$!
exec 3<&- >&2
wait "$server"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
`

const minCacheSize = 128
const maxCacheSize = 1024

/** Megabytes: an eighth of the memory of the container or machine. The system allocates a page at its first use. */
function chooseCacheSize(): number {
  const limit = process.constrainedMemory()
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.max(minCacheSize, Math.min(maxCacheSize, Math.floor(memory / 8 / 2 ** 20)))
}

// The pools of all processes stay far below 50 connections. JIT costs more than it gains here.
const ownSettings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: `${chooseCacheSize()}MB`,
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log is standard error: a log collector would remain as a zombie if process 1 does not reap children. The log
  // has neither statements nor values.
  logging_collector: 'off',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

// Milliseconds to wait for a shutdown with a checkpoint, before SIGQUIT ends PostgreSQL without one.
const stopTimeout = 30_000
// Milliseconds to wait for lock files and shared memory of an earlier server to disappear.
const lockTimeout = 10_000

/** Starts PostgreSQL and waits until it accepts connections. Recovery after a crash may take long. */
export async function startServer(
  paths: ClusterPaths,
  {
    programs,
    socketFolder,
    settings,
    log,
  }: {
    programs: Programs
    socketFolder: string
    settings: Record<string, string>
    log: (message: string) => void
  },
): Promise<Server> {
  const deadline = performance.now() + lockTimeout
  for (;;) {
    const logStart = getLogSize(paths.log)
    const server = launchServer(paths, { programs, socketFolder, settings })
    if (await waitUntilReady(server, paths.cluster, log)) return server
    const reason = readFileSync(paths.log).subarray(logStart).toString()
    const isOccupied = /lock file .* already exists|shared memory block .* still in use/.test(reason)
    if (!isOccupied || performance.now() > deadline) throw new Error(describeFailure(paths, reason))
    await sleep(300)
  }
}

function launchServer(
  paths: ClusterPaths,
  {
    programs,
    socketFolder,
    settings,
  }: { programs: Programs; socketFolder: string; settings: Record<string, string> },
): ServerProcess {
  const { binaries, account, environment } = programs
  const allSettings = { ...ownSettings, unix_socket_directories: socketFolder, ...settings }
  const options = Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const watchdogCommand = [
    '/bin/sh',
    '-c',
    watchdogScript,
    'karvon-postgres',
    binaries.postgres,
    '-D',
    paths.cluster,
    ...options,
  ]
  const [command = '', ...args] = [...account.prefix, ...watchdogCommand]
  const output = openSync(paths.log, 'a', 0o600)
  const child = spawn(command, args, {
    ...account.ids,
    cwd: '/',
    detached: true,
    env: buildProgramEnvironment(environment),
    stdio: ['pipe', 'pipe', output],
  })
  closeSync(output)
  return new ServerProcess(child)
}

class ServerProcess implements Server {
  pid = 0
  hasEnded = false
  readonly ended: Promise<void>
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.once('data', (chunk: Buffer) => (this.pid = Number.parseInt(chunk.toString(), 10)))
    // The child does not keep this process running, and ends with it.
    child.unref()
    for (const stream of [child.stdin, child.stdout]) {
      stream?.on('error', () => {})
      if (stream instanceof Socket) stream.unref()
    }
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.hasEnded = true
        resolve()
      }
      child.once('error', end)
      child.once('exit', end)
    })
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return
    this.#child.ref()
    this.#child.stdin?.end()
    const stopTimer = new AbortController()
    const timeout = sleep(stopTimeout, 'late', { signal: stopTimer.signal }).catch(() => 'ended')
    if ((await Promise.race([this.ended, timeout])) === 'late' && this.pid > 1)
      process.kill(this.pid, 'SIGQUIT')
    stopTimer.abort()
    await this.ended
  }
}

/** True when the server accepts connections, false when it has ended. */
async function waitUntilReady(
  server: ServerProcess,
  cluster: string,
  log: (message: string) => void,
): Promise<boolean> {
  let lastLogAt = performance.now()
  while (!server.hasEnded) {
    if (server.pid > 1 && isReady(cluster, server.pid)) return true
    if (performance.now() - lastLogAt > 5000) {
      lastLogAt = performance.now()
      log('PostgreSQL is still starting: it may be recovering from a crash.')
    }
    await sleep(10)
  }
  return false
}

/** PostgreSQL writes its pid into the first line of postmaster.pid and its state into the eighth. */
function isReady(cluster: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number.parseInt(lines[0] ?? '', 10) === pid && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

function describeFailure(paths: ClusterPaths, reason: string): string {
  const lines = reason
    .split('\n')
    .filter((line) => /FATAL|PANIC|ERROR|DETAIL|HINT|error while loading|not found|denied/.test(line))
    .slice(-4)
    .join(' ')
  const remedy = reason.includes('incompatible with server')
    ? 'Its files were made by another major version of PostgreSQL: start the Karvon that made them, or set KARVON_DATA to a new folder'
    : 'Correct this, or set DATABASE_URL'
  return `The embedded PostgreSQL did not start: ${lines || 'it gave no reason'} (log: ${paths.log}). ${remedy}`
}
