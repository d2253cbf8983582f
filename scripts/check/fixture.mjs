import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { projectFiles } from './files.mjs'

/** A folder with these files (`{path: text}`), gone when the test ends. */
export function folderWith(files) {
  const root = mkdtempSync(path.join(os.tmpdir(), 'karvon-check-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return root
}

/** A copy of the settings and of `folders` of the project itself, with its packages, and `files` planted in it. */
export function projectWith(files, folders) {
  const source = path.resolve(import.meta.dirname, '../..')
  const root = folderWith(files)
  const wanted = projectFiles(source).filter(
    (file) =>
      !file.includes('/') || /^[^/]+\/[^/]+\.json$/.test(file) || folders.includes(file.split('/')[0]),
  )
  for (const file of wanted) if (!(file in files)) cpSync(path.join(source, file), path.join(root, file))
  symlinkSync(path.join(source, 'node_modules'), path.join(root, 'node_modules'))
  return root
}
