import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnSync } from 'node:child_process'

// Milliseconds to wait for an orphaned PostgreSQL: first without a signal, then after each signal.
const ownStopTimeout = 5000
const fastStopTimeout = 15_000
const immediateStopTimeout = 5000

/**
 * Stops every PostgreSQL that a killed Karvon left running on the cluster. The caller has the lock of the folder, so
 * every server there is an orphan. Usually the watchdog has stopped it; otherwise it gets SIGINT (fast shutdown), then
 * SIGQUIT. Removes a postmaster.pid that has the pid of another program, as after a restart of a container.
 */
export async function stopOrphanedServers(cluster: string, log: (message: string) => void): Promise<void> {
  if (await waitUntilStopped(cluster, ownStopTimeout)) return removeForeignPidFile(cluster)
  log(
    `A PostgreSQL left behind by a killed Karvon still runs (pid ${findServerProcesses(cluster).join(', ')}): stopping it.`,
  )
  sendSignal(cluster, 'SIGINT')
  if (await waitUntilStopped(cluster, fastStopTimeout)) return removeForeignPidFile(cluster)
  sendSignal(cluster, 'SIGQUIT')
  if (await waitUntilStopped(cluster, immediateStopTimeout)) return removeForeignPidFile(cluster)
  throw new Error(
    `A PostgreSQL on ${cluster} does not stop (pid ${findServerProcesses(cluster).join(', ')}). Stop it with "kill -QUIT", then start again`,
  )
}

async function waitUntilStopped(cluster: string, timeout: number): Promise<boolean> {
  const deadline = performance.now() + timeout
  while (findServerProcesses(cluster).length > 0) {
    if (performance.now() >= deadline) return false
    await sleep(50)
  }
  return true
}

/** The pids of the cluster's PostgreSQL processes. The cluster is the working directory of each of them. */
export function findServerProcesses(cluster: string): number[] {
  if (process.platform === 'linux') return findLinuxProcesses(cluster)
  const pid = readPidFile(cluster)
  if (pid === undefined) return []
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.includes('postgres') && stdout.includes(cluster) ? [pid] : []
}

function findLinuxProcesses(cluster: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && isPostgresIn(pid, cluster))
}

function isPostgresIn(pid: number, cluster: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== cluster) return false
    // A shell in this folder must not be stopped.
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  } catch {
    // The process has ended, or belongs to another user.
    return false
  }
}

function sendSignal(cluster: string, name: 'SIGINT' | 'SIGQUIT'): void {
  const running = findServerProcesses(cluster)
  const main = readPidFile(cluster)
  // If the main process is gone, the others get the signal.
  const targets = main !== undefined && running.includes(main) ? [main] : running
  for (const pid of targets) {
    try {
      process.kill(pid, name)
    } catch {
      // The process has ended.
    }
  }
}

function readPidFile(cluster: string): number | undefined {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return pid > 1 ? pid : undefined
}

/**
 * PostgreSQL refuses to start if a running process has the pid in this file, or if the file is unreadable. A file with
 * the pid of an ended process stays: PostgreSQL handles it and removes the shared memory of that process.
 */
function removeForeignPidFile(cluster: string): void {
  const pid = readPidFile(cluster)
  if (pid !== undefined && !isRunning(pid)) return
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
