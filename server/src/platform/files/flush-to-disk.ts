import { open, stat } from 'node:fs/promises'

/**
 * Flushes a file, or a folder, which makes the names in it durable. Windows cannot open folders and does not need it.
 */
export async function flushToDisk(path: string): Promise<void> {
  const stats = await stat(path)
  if (stats.isDirectory() && process.platform === 'win32') return
  await using file = await open(path, stats.isDirectory() ? 'r' : 'r+')
  await file.sync()
}
