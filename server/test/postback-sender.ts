// Sends outgoing postbacks in a separate process, for tests that kill it. The argument is the URL of the database.
// Settings come from the environment.
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { outgoingPostbacksJob } from '../src/domains/outgoing-postbacks/outgoing-postbacks.job.ts'

const [url = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const deps = await openDeps(config, { url, ring: { keys: [Buffer.alloc(32)] }, log: openLog('silent') })
const job = outgoingPostbacksJob(deps)
process.stdin.once('end', () => process.exit()).resume()
for (;;) {
  await job.run(new AbortController().signal)
  await sleep(20)
}
