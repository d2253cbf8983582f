// The folder of the temporary files of a test run.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'karvon-tests-'
const memoryFolder = '/dev/shm'
// The files need up to 1 GiB, the processes up to 4 GiB.
const minFreeBytes = { files: 4 * 1024 ** 3, memory: 8 * 1024 ** 3 }

/**
 * Creates the folder of this run and removes the folders of runs that were killed. It lies in memory where there is enough:
 * a run creates hundreds of databases, and each costs up to a second of processor time on a disk and 0.1 s in memory.
 * TMPDIR names another place.
 */
export function createRunFolder() {
  const parent = process.env.TMPDIR === undefined && isRoomy(memoryFolder) ? memoryFolder : tmpdir()
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : 0
    if (pid > 1 && !isRunning(pid)) removeOldFolder(join(parent, name))
  }
  // A killed run may have had the same process id, so the name has a random part.
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // Some runs have another account.
  chmodSync(folder, 0o1777)
  return folder
}

export const removeRunFolder = (folder) => rmSync(folder, { recursive: true, force: true })

function removeOldFolder(folder) {
  try {
    removeRunFolder(folder)
  } catch (error) {
    // Only the account of that run, and root, may remove its folder.
    if (!['EACCES', 'EPERM'].includes(error.code)) throw error
  }
}

/** Whether files of a run fit into a folder in memory, and programs in it can start. */
function isRoomy(folder) {
  // Node before 20.13 does not know the available memory.
  const memory = process.availableMemory?.() ?? 0
  if (!existsSync(folder) || memory < minFreeBytes.memory) return false
  const { bavail, bsize } = statfsSync(folder)
  const mount = readFileSync('/proc/mounts', 'utf8').match(new RegExp(`^\\S+ ${folder} \\S+ (\\S+)`, 'm'))
  return bavail * bsize >= minFreeBytes.files && mount !== null && !mount[1].split(',').includes('noexec')
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}
