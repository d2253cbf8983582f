// Prints the last lines of .ci/run: the failed tests and the counts of the last npm test and npm run test:full together.
// It needs no installed package. A run without a summary counts as one failed test.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './install.mjs'
import { closingLines, sumCounts } from './test-count.mjs'

const summaries = ['quick', 'full'].map((speed) => join(root, 'test-results', speed, 'summary.json'))
const notRun = (path) => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: [{ file: relative(root, path), title: '', message: 'The run wrote no summary.' }],
})
const counts = summaries.map((path) =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : notRun(path),
)
console.log(closingLines(sumCounts(counts)))
