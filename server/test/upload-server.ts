// Receives and sends uploads in a separate process, for tests that kill it. The argument is the URL of the database.
// Settings come from the environment. Prints its address.
import { testKey } from './app.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { startJobs } from '../src/platform/jobs/jobs.ts'
import { uploadsJob } from '../src/domains/uploads/uploads.job.ts'

const [url = ''] = process.argv.slice(2)
const baseConfig = readConfig(process.env)
// Without the rate limit of Telegram, which would make the test slow.
const config = { ...baseConfig, telegram: { ...baseConfig.telegram, rate: null, answerWithin: 2000 } }
const deps = await openDeps(config, { url, ring: { keys: [testKey] }, log: openLog('silent') })
const app = await buildApp(deps)
const jobs = uploadsJob(deps, 20).map((job) => ({ ...job, interval: 50 }))
process.stdin.once('end', () => process.exit()).resume()
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
startJobs(deps, jobs)
