// Takes and sends uploads as a process of its own until it is killed, for tests that kill it. The database's address
// is the argument; settings come from the environment. Prints its address.
import { testKey } from './app.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { startJobs } from '../src/platform/jobs/jobs.ts'
import { uploadsJob } from '../src/domains/uploads/uploads.job.ts'

const [url = ''] = process.argv.slice(2)
const read = readConfig(process.env)
// A fake takes more than 20 files a minute, and a test has no hour.
const config = { ...read, telegram: { ...read.telegram, rate: null, answerWithin: 2000 } }
const deps = await openDeps(config, url, { keys: [testKey] }, openLog('silent'))
const app = await buildApp(deps)
const jobs = uploadsJob(deps, 20).map((job) => ({ ...job, interval: 50 }))
process.stdin.once('end', () => process.exit()).resume()
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
startJobs(deps.pool, deps.log, deps.jobTrigger, jobs)
