import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

/** A small disk of its own. */
export interface SmallDisk {
  path: string
  /** Takes all room that there is; again and again while others make some. */
  fill(): void
  /** Gives the room back. */
  free(): void
  unmount(): void
}

/** Mounts a disk in memory of so many megabytes; null where this account may not. */
export function mountDisk(at: string, megabytes: number): SmallDisk | null {
  mkdirSync(at)
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', at]
  if (process.platform !== 'linux' || spawnSync('mount', options, { stdio: 'ignore' }).status !== 0)
    return null
  chmodSync(at, 0o711)
  const ballast = path.join(at, 'ballast')
  return {
    path: at,
    fill: () => {
      const file = openSync(ballast, 'a', 0o600)
      try {
        // To the last page.
        for (const size of [1024 * 1024, 4096]) while (takes(file, Buffer.alloc(size)));
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => {
      // Whatever still ends there is not waited for.
      spawnSync('umount', ['-l', at], { stdio: 'ignore' })
    },
  }
}

function takes(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch {
    return false
  }
}
