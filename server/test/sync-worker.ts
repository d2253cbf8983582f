// Syncs networks in a separate process, for tests that kill it. The argument is the URL of the database. Settings come
// from the environment.
import { syncKinds } from '../src/app/syncs.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { startJobs } from '../src/platform/jobs/jobs.ts'
import { createSyncJobs } from '../src/domains/syncs/syncs.engine.ts'
import { testKey } from './app.ts'

const [url = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const deps = await openDeps(config, { url, ring: { keys: [testKey] }, log: openLog('silent') })
const jobs = createSyncJobs(deps, syncKinds(deps)).map((job) => ({ ...job, interval: 20 }))
process.stdin.once('end', () => process.exit()).resume()
// Loading takes most of the start, so the test signals when to begin.
process.stdout.write('ready\n')
process.stdin.once('data', () => startJobs(deps, jobs))
