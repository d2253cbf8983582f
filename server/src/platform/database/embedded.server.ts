import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { logSize } from './embedded.log.ts'
import { programEnvironment } from './embedded.cluster.ts'
import type { Places, Programs } from './embedded.cluster.ts'

export interface Server {
  pid: number
  /** Settles when PostgreSQL has ended, however it did. */
  ended: Promise<void>
  /** Fast shutdown: open transactions are rolled back, what is committed is kept. */
  stop(): Promise<void>
}

// Runs in a session of its own, so neither Ctrl-C nor a kill of Node's process group reaches it or
// PostgreSQL. Its standard input closes when Node ends, however that comes; then it asks PostgreSQL
// for a fast shutdown until it is gone (an early signal may come before PostgreSQL listens).
const WATCHDOG = `
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

// A desk's size: pools of all processes stay far below 50 connections. JIT costs more than it gains here.
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log is its standard error (a log collector would stay behind as a zombie where process 1 does
  // not care for children). Neither statements nor values go into it.
  logging_collector: 'off',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

// Milliseconds to wait for PostgreSQL to end by itself before it is told to end without a checkpoint.
const STOP_PATIENCE = 30_000
// Milliseconds in which leftovers of an earlier server (lock files, shared memory) may still go away.
const LOCK_PATIENCE = 10_000

/** Starts PostgreSQL and waits until it takes connections; recovery after a crash may take its time. */
export async function startServer(
  places: Places,
  programs: Programs,
  socketFolder: string,
  settings: Record<string, string>,
  log: (message: string) => void,
): Promise<Server> {
  const deadline = performance.now() + LOCK_PATIENCE
  for (;;) {
    const said = logSize(places.log)
    const server = launch(places, programs, socketFolder, settings)
    if (await ready(server, places.cluster, log)) return server
    const reason = readFileSync(places.log).subarray(said).toString()
    const occupied = /lock file .* already exists|shared memory block .* still in use/.test(reason)
    if (!occupied || performance.now() > deadline) throw new Error(failure(places, reason))
    await sleep(300)
  }
}

function launch(
  places: Places,
  programs: Programs,
  socketFolder: string,
  settings: Record<string, string>,
): Launched {
  const { binaries, account, environment } = programs
  const all = { ...SETTINGS, unix_socket_directories: socketFolder, ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const guarded = [
    '/bin/sh',
    '-c',
    WATCHDOG,
    'karvon-postgres',
    binaries.postgres,
    '-D',
    places.cluster,
    ...options,
  ]
  const [command = '', ...args] = [...account.prefix, ...guarded]
  const output = openSync(places.log, 'a', 0o600)
  const child = spawn(command, args, {
    ...account.ids,
    cwd: '/',
    detached: true,
    env: programEnvironment(environment),
    stdio: ['pipe', 'pipe', output],
  })
  closeSync(output)
  return new Launched(child)
}

class Launched implements Server {
  pid = 0
  over = false
  readonly ended: Promise<void>
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.once('data', (chunk: Buffer) => (this.pid = Number.parseInt(chunk.toString(), 10)))
    // PostgreSQL must not keep a process alive that has forgotten it; it ends with the process.
    child.unref()
    for (const stream of [child.stdin, child.stdout]) {
      stream?.on('error', () => {})
      if (stream instanceof Socket) stream.unref()
    }
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.over = true
        resolve()
      }
      child.once('error', end)
      child.once('exit', end)
    })
  }

  async stop(): Promise<void> {
    if (this.over) return
    this.#child.ref()
    this.#child.stdin?.end()
    const patience = new AbortController()
    const late = sleep(STOP_PATIENCE, 'late', { signal: patience.signal }).catch(() => 'ended')
    if ((await Promise.race([this.ended, late])) === 'late' && this.pid > 1) process.kill(this.pid, 'SIGQUIT')
    patience.abort()
    await this.ended
  }
}

/** True once the server takes connections, false when it ended instead. */
async function ready(server: Launched, cluster: string, log: (message: string) => void): Promise<boolean> {
  let told = performance.now()
  while (!server.over) {
    if (server.pid > 1 && isReady(cluster, server.pid)) return true
    if (performance.now() - told > 5000) {
      told = performance.now()
      log('PostgreSQL is still starting: after a crash it first brings its files in order.')
    }
    await sleep(10)
  }
  return false
}

/** PostgreSQL writes its pid in the first line of this file and its state in the eighth. */
function isReady(cluster: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number.parseInt(lines[0] ?? '', 10) === pid && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

function failure(places: Places, reason: string): string {
  const told = reason
    .split('\n')
    .filter((line) => /FATAL|PANIC|ERROR|DETAIL|HINT|error while loading|not found|denied/.test(line))
    .slice(-4)
    .join(' ')
  const remedy = reason.includes('incompatible with server')
    ? 'Its files were made by another major version of PostgreSQL: start the Karvon that made them, or set KARVON_DATA to a new folder'
    : 'Mend that, or set DATABASE_URL'
  return `The built-in PostgreSQL did not start: ${told || 'it gave no reason'} (log: ${places.log}). ${remedy}`
}
