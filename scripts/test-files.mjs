// Which test files run when: the one rule that splits npm test from npm run test:full.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const isTest = /\.(?:test|spec)\.(?:ts|mjs)$/
// Kills and memory by their names; `full` is what takes long for another reason.
const isLong = /\.(?:kill|memory|full)\.(?:test|spec)\.(?:ts|mjs)$/
const skipped = new Set(['node_modules', 'dist', 'test-results', '.cache'])

/** Whether `npm test` leaves the file to `npm run test:full`. */
export const isFullOnly = (path) => isLong.test(path)

/**
 * Test files below a workspace, as paths in it with forward slashes.
 * `files`: `quick` those of `npm test`, `full` the rest. `only`: patterns of the files to take. `except`: patterns of files to
 * leave out.
 */
export function testFiles(folder, { files = 'quick', only = [/./], except = [] } = {}) {
  const wantsFull = files === 'full'
  return filesBelow(folder, '')
    .filter((path) => isTest.test(path) && isFullOnly(path) === wantsFull)
    .filter((path) => only.some((pattern) => pattern.test(path)))
    .filter((path) => !except.some((pattern) => pattern.test(path)))
    .toSorted()
}

function filesBelow(folder, path) {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesBelow(folder, below)
    return [below]
  })
}
