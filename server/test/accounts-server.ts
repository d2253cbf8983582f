// Serves registration and password reset and sends mails in a separate process, for tests that kill it. The argument is
// the URL of the database. Settings come from the environment. Prints its address.
import { testKey } from './app.ts'
import { accountsJobs } from '../src/domains/accounts/accounts.jobs.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { startJobs } from '../src/platform/jobs/jobs.ts'

const [url = ''] = process.argv.slice(2)
const deps = await openDeps(readConfig(process.env), {
  url,
  ring: { keys: [testKey] },
  log: openLog('silent'),
})
const app = await buildApp(deps)
process.stdin.once('end', () => process.exit()).resume()
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
startJobs(
  deps,
  accountsJobs(deps).map((job) => ({ ...job, interval: 100 })),
)
