import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and its missing parents. Throws an Error for a file at this path, else the error of the system. Node's own
 * `recursive` never ends below /proc, where no folder can be created although the parent exists.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const create = (folder: string) => mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => error)
  const error = await create(path)
  if (error === undefined) return
  if (error.code === 'EEXIST') {
    if ((await stat(path)).isDirectory()) return
    throw new Error(`${path} is a file, not a folder`)
  }
  const parent = dirname(path)
  if (error.code !== 'ENOENT' || parent === path) throw error
  await makeFolder(parent, mode)
  const secondError = await create(path)
  if (secondError !== undefined && secondError.code !== 'EEXIST') throw secondError
}
