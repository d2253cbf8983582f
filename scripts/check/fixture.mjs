import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { projectFiles } from '../files.mjs'

/** Creates a folder with these files (`{path: text}`). The end of the test removes it. */
export function createFolder(files) {
  const root = mkdtempSync(path.join(os.tmpdir(), 'karvon-check-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return root
}

/** Creates a copy of the project's settings, packages and `folders`, and adds `files`. */
export function createProjectCopy(files, folders) {
  const source = path.resolve(import.meta.dirname, '../..')
  const root = createFolder(files)
  const selectedFiles = projectFiles(source).filter(
    (file) =>
      !file.includes('/') || /^[^/]+\/[^/]+\.json$/.test(file) || folders.includes(file.split('/')[0]),
  )
  for (const file of selectedFiles)
    if (!(file in files)) cpSync(path.join(source, file), path.join(root, file))
  symlinkSync(path.join(source, 'node_modules'), path.join(root, 'node_modules'))
  return root
}
