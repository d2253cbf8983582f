import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'karvon-test-'

/** A new folder, mode 0700, below the one for temporary files. Remove it after the test. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Removes the folders of runs that were killed: the name carries the pid of who made it. */
export function sweepFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : 0
    if (pid > 1 && !lives(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
