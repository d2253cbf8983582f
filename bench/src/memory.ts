import { readFileSync, writeFileSync } from 'node:fs'

/** The peak resident memory of a process, in megabytes. proc_pid_status(5) counts in 1024 bytes. */
export function readPeak(pid: number): number {
  const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}

/** Resets the peak to the current resident memory. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')
