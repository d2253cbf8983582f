// The rule that divides the test files among npm test, npm run test:full and npm run test:release.
import { projectFiles } from './files.mjs'

const isTest = /\.(?:test|spec)\.(?:ts|mjs)$/
// `kill` and `memory` name the kind of test. `full` marks a test that is slow for another reason. `release` marks a test of
// the tools and recipes of this repository, or of a promise that faster tests check in part.
const speedPattern = /\.(?<name>kill|memory|full|release)\.(?:test|spec)\.(?:ts|mjs)$/

/** The run of a test file: `quick` is `npm test`, `full` is `npm run test:full`, `release` is `npm run test:release`. */
export function readSpeed(path) {
  const name = speedPattern.exec(path)?.groups.name
  if (name === undefined) return 'quick'
  return name === 'release' || name === 'memory' ? 'release' : 'full'
}

/**
 * The test files of a workspace, as paths in it with forward slashes. `files`: a speed, or `all`. `only`: patterns of files to
 * include. `except`: patterns of files to exclude.
 */
export function testFiles(folder, { files = 'quick', only = [/./], except = [] } = {}) {
  return projectFiles(folder)
    .filter((path) => isTest.test(path) && (files === 'all' || readSpeed(path) === files))
    .filter((path) => only.some((pattern) => pattern.test(path)))
    .filter((path) => !except.some((pattern) => pattern.test(path)))
    .toSorted()
}
