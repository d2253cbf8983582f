// Removes the lines of voided acts in a separate process, five in a transaction, for tests that kill it. The argument is the URL of
// the database. Prints `ready` and begins.
import { testKey } from './app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { findActsToCompare } from '../src/domains/settlements/settlements.job.queries.ts'
import { finishVoid } from '../src/domains/settlements/settlements.void.ts'

const [url = ''] = process.argv.slice(2)
const { db } = await openDeps(readConfig(process.env), {
  url,
  ring: { keys: [testKey] },
  log: openLog('silent'),
})
const { signal } = new AbortController()
process.stdout.write('ready\n')
for (const act of await findActsToCompare(db, { after: 0, limit: 10 }))
  if (act.is_voided) await finishVoid(db, act, { signal, limit: 5 })
process.stdout.write('done\n')
process.stdin.once('close', () => process.exit()).resume()
