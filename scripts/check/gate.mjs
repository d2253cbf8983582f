import path from 'node:path'
import { isStarted } from '../install.mjs'

/**
 * Runs `check(root)` if node started the calling script directly. Prints each problem and the summary (the number of
 * checked items). The exit code is 1 if there is a problem.
 */
export function runAsGate(meta, check) {
  if (!isStarted(meta)) return
  const root = process.argv[2] ?? path.resolve(meta.dirname, '../..')
  const { problems, summary } = check(root)
  for (const problem of problems) console.error(problem)
  console.log(summary)
  process.exitCode = problems.length > 0 ? 1 : 0
}
