import { readFileSync, writeFileSync } from 'node:fs'

/** Resident memory of a process at its highest, in megabytes; proc_pid_status(5) counts in 1024 bytes. */
export function readPeak(pid: number): number {
  const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}

/** Starts the highest anew from what is resident now. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')
