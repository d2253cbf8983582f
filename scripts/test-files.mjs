// The rule that divides the test files between npm test and npm run test:full. npm run test:release repeats those of npm test.
import { projectFiles } from './files.mjs'

const isTest = /\.(?:test|spec)\.(?:ts|mjs)$/
// `kill` and `memory` name the kind of test. `full` marks a test that is slow for another reason.
const isLong = /\.(?:kill|memory|full)\.(?:test|spec)\.(?:ts|mjs)$/

/** True if only `npm run test:full` runs the file. */
export const isFullOnly = (path) => isLong.test(path)

/**
 * The test files of a workspace, as paths in it with forward slashes. `files`: `quick` are those of `npm test`, `full` the
 * others, `all` both. `only`: patterns of files to include. `except`: patterns of files to exclude.
 */
export function testFiles(folder, { files = 'quick', only = [/./], except = [] } = {}) {
  return projectFiles(folder)
    .filter((path) => isTest.test(path) && (files === 'all' || isFullOnly(path) === (files === 'full')))
    .filter((path) => only.some((pattern) => pattern.test(path)))
    .filter((path) => !except.some((pattern) => pattern.test(path)))
    .toSorted()
}
