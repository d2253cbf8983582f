// Syncs the courier in a separate process, for tests that kill it. The argument is the URL of the database. Settings come
// from the environment. Prints `ready`, and starts at the first input.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { testKey } from './app.ts'
import { syncKinds } from '../src/app/syncs.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { createSyncJobs } from '../src/domains/syncs/syncs.engine.ts'

const [url = ''] = process.argv.slice(2)
const deps = await openDeps(readConfig(process.env), {
  url,
  ring: { keys: [testKey] },
  log: openLog('silent'),
})
const kinds = syncKinds(deps, true).filter(({ column }) => column === 'courier_account_id')
const [job] = createSyncJobs(deps, kinds)
process.stdin.once('end', () => process.exit())
process.stdout.write('ready\n')
await once(process.stdin, 'data')
for (;;) {
  await job?.run(new AbortController().signal)
  await sleep(20)
}
