// The last line of .ci/run: the counts of the last npm test and the last npm run test:full in one.
// Runs with nothing installed: a run that wrote no summary counts as one failed test.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'
import { closingLine, totalOf } from './test-count.mjs'

const summaries = ['quick', 'full'].map((speed) => join(root, 'test-results', speed, 'summary.json'))
const counts = summaries.map((path) =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { passed: 0, failed: 1, skipped: 0 },
)
console.log(closingLine(totalOf(counts)))
