import { readdirSync, readFileSync } from 'node:fs'

/** The unit of /proc on Linux. */
const ticksPerSecond = 100

interface ProcessTimes {
  parent: number
  /** Seconds of processor time in user and kernel mode. */
  seconds: number
}

/** Null after the end of the process. Fields as in proc_pid_stat(5). The name in brackets may contain spaces. */
function readTimes(pid: number): ProcessTimes | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond }
  } catch {
    return null
  }
}

const listProcesses = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Child processes, such as the sessions of PostgreSQL. */
export function listChildren(pid: number): number[] {
  return listProcesses().filter((processId) => readTimes(processId)?.parent === pid)
}

/** Milliseconds of processor time of each running process. */
export function readTimesByProcess(pids: readonly number[]): Map<number, number> {
  return new Map(
    pids.map((pid) => {
      try {
        const tasks = readdirSync(`/proc/${pid}/task`).map((task) =>
          Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
        )
        return [pid, tasks.reduce((sum, time) => sum + time, 0) / 1e6] as const
      } catch {
        return [pid, 0] as const
      }
    }),
  )
}

/** Milliseconds between two readings. A new process counts fully, an ended process not at all. */
export function sumBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, time]) => sum + Math.max(0, time - (before.get(pid) ?? 0)), 0)
}

/** Whether processor time can be read here. */
export const canReadTimes = process.platform === 'linux'

/** Seconds of processor time of a process and its children. */
export function readProcessorTime(pid: number): number {
  const ownSeconds = listProcesses().flatMap((processId) => {
    const times = readTimes(processId)
    return times !== null && (processId === pid || times.parent === pid) ? [times.seconds] : []
  })
  return ownSeconds.reduce((sum, seconds) => sum + seconds, 0)
}
