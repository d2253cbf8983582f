import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'

// Milliseconds. A running process renews the time of its files in each interval, so an old file is of a killed process.
const sweepInterval = 60_000
const abandonedAfter = 10 * sweepInterval

/** The files of this process that exist until the end of a request. */
const openPaths = new Set<string>()

// A process that ends in the middle of a request leaves no file.
process.on('exit', () => {
  for (const path of openPaths) rmSync(path, { force: true })
})

const getFolder = (dataFolder: string) => join(dataFolder, 'incoming')

/** The path of a new file in `incoming/` below the data folder. `await using` removes the file, unless it was moved. */
export async function openIncomingFile(dataFolder: string): Promise<{ path: string } & AsyncDisposable> {
  const folder = getFolder(dataFolder)
  await makeFolder(folder, 0o700)
  const path = join(folder, randomUUID())
  openPaths.add(path)
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { force: true })
      openPaths.delete(path)
    },
  }
}

/** Sweeps now and in each interval. Returns a function that stops this. `isAlone`: no other process uses the folder. */
export async function startIncomingSweeps(
  dataFolder: string,
  { isAlone, onError }: { isAlone: boolean; onError: (error: unknown) => void },
): Promise<() => void> {
  await sweepIncomingFiles(dataFolder, isAlone ? 0 : abandonedAfter)
  const timer = setInterval(() => void sweepIncomingFiles(dataFolder).catch(onError), sweepInterval).unref()
  return () => clearInterval(timer)
}

/** Removes the files of killed processes, from this age on, and renews the time of the files of this process. */
export async function sweepIncomingFiles(dataFolder: string, minAge = abandonedAfter): Promise<void> {
  const folder = getFolder(dataFolder)
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) return
  const now = await readFileSystemTime(folder)
  for (const name of names) {
    const path = join(folder, name)
    // Another process may have removed the file.
    if (openPaths.has(path)) await utimes(path, now / 1000, now / 1000).catch(() => {})
    else if (now - (await readTime(path, now)) >= minAge) await rm(path, { force: true })
  }
}

const readTime = (path: string, missingTime: number) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => missingTime,
  )

/** The current time of the file system of a folder, whose clock may be another machine's. */
async function readFileSystemTime(folder: string): Promise<number> {
  const path = join(folder, randomUUID())
  await writeFile(path, '')
  try {
    return (await stat(path)).mtimeMs
  } finally {
    await rm(path, { force: true })
  }
}
