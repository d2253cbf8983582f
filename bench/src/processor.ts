import { readdirSync, readFileSync } from 'node:fs'

/** Of Linux, whatever its kernel's own rate: what /proc counts in. */
const ticksPerSecond = 100

interface Times {
  parent: number
  /** Seconds of processor time, its own and the kernel's for it. */
  seconds: number
}

/** Null once the process has ended. Field numbers as in proc_pid_stat(5); the name in brackets may hold spaces. */
function timesOf(pid: number): Times | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond }
  } catch {
    return null
  }
}

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Processes that a process started: PostgreSQL's sessions and helpers, for its first. */
export function childrenOf(pid: number): number[] {
  return processes().filter((each) => timesOf(each)?.parent === pid)
}

/** Milliseconds of processor time of each of these processes so far, exact to a fraction; of one that has ended none. */
export function exactTimes(pids: readonly number[]): Map<number, number> {
  return new Map(
    pids.map((pid) => {
      try {
        const tasks = readdirSync(`/proc/${pid}/task`).map((task) =>
          Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
        )
        return [pid, tasks.reduce((sum, each) => sum + each, 0) / 1e6] as const
      } catch {
        return [pid, 0] as const
      }
    }),
  )
}

/** Milliseconds between two readings; a process that began since counts whole, one that ended not at all. */
export function timeBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, time]) => sum + Math.max(0, time - (before.get(pid) ?? 0)), 0)
}

/** Whether processor time can be read here. */
export const canRead = process.platform === 'linux'

/** Seconds of processor time that a process has used so far, its children's (PostgreSQL's sessions) with it. */
export function processorTime(pid: number): number {
  const own = processes().flatMap((each) => {
    const times = timesOf(each)
    return times !== null && (each === pid || times.parent === pid) ? [times.seconds] : []
  })
  return own.reduce((sum, seconds) => sum + seconds, 0)
}
