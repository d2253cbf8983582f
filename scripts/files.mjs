import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const skippedFolders = new Set([
  'node_modules',
  '.git',
  '.cache',
  'dist',
  'data',
  'coverage',
  'test-results',
  'playwright-report',
])

/** The files of the project below `root/folder`, as paths from the root with `/`, without generated and installed files. */
export function projectFiles(root, folder = '') {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : projectFiles(root, file)
    return entry.isFile() ? [file] : []
  })
}
