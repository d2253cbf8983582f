import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

/** A small separate disk. */
export interface SmallDisk {
  path: string
  /** Uses all free space. Call it again when other programs free some. */
  fill(): void
  /** Frees the space. */
  free(): void
  unmount(): void
}

/** Mounts a disk in memory. Returns null if this account may not mount. */
export function mountDisk(folder: string, megabytes: number): SmallDisk | null {
  mkdirSync(folder)
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]
  if (process.platform !== 'linux' || spawnSync('mount', options, { stdio: 'ignore' }).status !== 0)
    return null
  chmodSync(folder, 0o711)
  const fillerFile = path.join(folder, 'ballast')
  return {
    path: folder,
    fill: () => {
      const file = openSync(fillerFile, 'a', 0o600)
      try {
        // Fill the last page too.
        for (const size of [1024 * 1024, 4096]) while (isWritten(file, Buffer.alloc(size)));
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(fillerFile, { force: true }),
    unmount: () => {
      // A lazy unmount does not wait for processes that still use the disk.
      spawnSync('umount', ['-l', folder], { stdio: 'ignore' })
    },
  }
}

function isWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch {
    return false
  }
}
