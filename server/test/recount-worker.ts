// Moves the leads of statuses whose type changed in a separate process, for tests that kill it. The argument is the URL of the
// database. Prints `ready` and begins.
import { testKey } from './app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { recountStatuses } from '../src/domains/reports/reports.recounts.ts'

const [url = ''] = process.argv.slice(2)
const deps = await openDeps(readConfig(process.env), {
  url,
  ring: { keys: [testKey] },
  log: openLog('silent'),
})
await deps.pool.query('select 1')
process.stdout.write('ready\n')
await recountStatuses(deps.db)
process.stdout.write('done\n')
process.stdin.once('close', () => process.exit()).resume()
