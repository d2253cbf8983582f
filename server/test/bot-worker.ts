// Runs the bot in a separate process, for tests that kill it. The argument is the URL of the database. Settings come from
// the environment. Prints `ready`, and starts at the first input.
import { once } from 'node:events'
import { testKey } from './app.ts'
import { createBotReader } from '../src/app/bot.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { botJobs } from '../src/domains/notices/notices.jobs.ts'

const [url = ''] = process.argv.slice(2)
const baseConfig = readConfig(process.env)
// Without the rate limit of Telegram, which would make the test slow.
const config = { ...baseConfig, telegram: { ...baseConfig.telegram, rate: null } }
const deps = await openDeps(config, { url, ring: { keys: [testKey] }, log: openLog('silent') })
const [job] = botJobs(deps, createBotReader(deps))
process.stdin.once('end', () => process.exit())
process.stdout.write('ready\n')
await once(process.stdin, 'data')
for (;;) await job?.run(new AbortController().signal)
