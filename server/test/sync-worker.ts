// Fetches networks as a process of its own until it is killed, for tests that kill it. The database's address is the
// argument; settings come from the environment.
import { syncKinds } from '../src/app/syncs.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { startJobs } from '../src/platform/jobs/jobs.ts'
import { syncJobs } from '../src/domains/syncs/syncs.engine.ts'
import { testKey } from './app.ts'

const [url = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const deps = await openDeps(config, url, { keys: [testKey] }, openLog('silent'))
const jobs = syncJobs(deps, syncKinds(deps)).map((job) => ({ ...job, interval: 20 }))
process.stdin.once('end', () => process.exit()).resume()
// What is loaded and open takes most of a start; the test says when to begin.
process.stdout.write('ready\n')
process.stdin.once('data', () => startJobs(deps.pool, deps.log, deps.jobTrigger, jobs))
