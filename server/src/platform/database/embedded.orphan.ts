import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnSync } from 'node:child_process'

// Milliseconds a PostgreSQL that was left behind gets: first by itself, then after each signal.
const ALONE = 5000
const FAST = 15_000
const IMMEDIATE = 5000

/**
 * Makes sure that no PostgreSQL of a killed Karvon still works on the cluster. Called under the
 * folder's lock, so whatever runs there is left behind. Its watchdog stops it as a rule; else it is
 * asked to (SIGINT: fast shutdown), then told to (SIGQUIT).
 * A postmaster.pid that names a foreign process, as after a restart of a container, is removed.
 */
export async function clearOrphans(cluster: string, log: (message: string) => void): Promise<void> {
  if (await gone(cluster, ALONE)) return forgetForeign(cluster)
  log(
    `A PostgreSQL left behind by a killed Karvon still runs (pid ${processesOf(cluster).join(', ')}): stopping it.`,
  )
  signal(cluster, 'SIGINT')
  if (await gone(cluster, FAST)) return forgetForeign(cluster)
  signal(cluster, 'SIGQUIT')
  if (await gone(cluster, IMMEDIATE)) return forgetForeign(cluster)
  throw new Error(
    `A PostgreSQL on ${cluster} does not stop (pid ${processesOf(cluster).join(', ')}). Stop it with "kill -QUIT", then start again`,
  )
}

async function gone(cluster: string, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience
  while (processesOf(cluster).length > 0) {
    if (performance.now() >= deadline) return false
    await sleep(50)
  }
  return true
}

/** Pids of PostgreSQL processes that work in the cluster: each of them has it as its current folder. */
export function processesOf(cluster: string): number[] {
  if (process.platform === 'linux') return pidsOfLinux(cluster)
  const pid = namedPid(cluster)
  if (pid === undefined) return []
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.includes('postgres') && stdout.includes(cluster) ? [pid] : []
}

function pidsOfLinux(cluster: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && worksIn(pid, cluster))
}

function worksIn(pid: number, cluster: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== cluster) return false
    // A shell that somebody opened in the folder is not ours to stop.
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  } catch {
    // Ended meanwhile, or somebody else's.
    return false
  }
}

function signal(cluster: string, name: 'SIGINT' | 'SIGQUIT'): void {
  const running = processesOf(cluster)
  const head = namedPid(cluster)
  // Without its head process, the rest are told themselves.
  const targets = head !== undefined && running.includes(head) ? [head] : running
  for (const pid of targets) {
    try {
      process.kill(pid, name)
    } catch {
      // Ended meanwhile.
    }
  }
}

function namedPid(cluster: string): number | undefined {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return pid > 1 ? pid : undefined
}

/**
 * PostgreSQL takes any live process of that number for a server, and an unreadable file for a fault, and
 * refuses to start. A dead one it deals with itself, looking for what it left in shared memory.
 */
function forgetForeign(cluster: string): void {
  const pid = namedPid(cluster)
  if (pid !== undefined && !lives(pid)) return
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
