// Takes what people ask for who are not signed in, and mails, as a process of its own until it is killed, for tests that
// kill it. The database's address is the argument; settings come from the environment. Prints its address.
import { testKey } from './app.ts'
import { accountsJobs } from '../src/domains/accounts/accounts.jobs.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { startJobs } from '../src/platform/jobs/jobs.ts'

const [url = ''] = process.argv.slice(2)
const deps = await openDeps(readConfig(process.env), url, { keys: [testKey] }, openLog('silent'))
const app = await buildApp(deps)
process.stdin.once('end', () => process.exit()).resume()
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
startJobs(
  deps.pool,
  deps.log,
  deps.jobTrigger,
  accountsJobs(deps).map((job) => ({ ...job, interval: 100 })),
)
