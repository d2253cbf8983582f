import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Runs `check(root)` when the script that calls this was started by itself: prints each problem, then the
 * summary (what was read, so that reading nothing shows), and exits 1 when there was any.
 */
export function runAsGate(meta, check) {
  if (meta.url !== pathToFileURL(process.argv[1] ?? '').href) return
  const root = process.argv[2] ?? path.resolve(meta.dirname, '../..')
  const { problems, summary } = check(root)
  for (const problem of problems) console.error(problem)
  console.log(summary)
  process.exitCode = problems.length > 0 ? 1 : 0
}
