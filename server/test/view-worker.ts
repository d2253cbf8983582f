// Sends scheduled views in a separate process, for tests that kill it. The argument is the URL of the database. Settings come
// from the environment. Prints `ready`.
import { testKey } from './app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { createReceiverCalls } from '../src/app/receiver-calls.ts'
import { viewMessagesJobs } from '../src/domains/view-messages/view-messages.jobs.ts'
import { startJobs } from '../src/platform/jobs/jobs.ts'

const [url = ''] = process.argv.slice(2)
const baseConfig = readConfig(process.env)
// Without the rate limit of Telegram, which would make the test slow.
const config = { ...baseConfig, telegram: { ...baseConfig.telegram, rate: null } }
const deps = await openDeps(config, { url, ring: { keys: [testKey] }, log: openLog('silent') })
process.stdin.once('end', () => process.exit()).resume()
process.stdout.write('ready\n')
startJobs(
  deps,
  viewMessagesJobs(deps, createReceiverCalls(deps), 0).map((job) => ({ ...job, interval: 50 })),
)
