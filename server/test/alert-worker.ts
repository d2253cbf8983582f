// Evaluates alert rules in a separate process, for tests that kill it. The argument is the URL of the database. Each line of the
// input is the moment of an evaluation. Prints `ready`, and after each evaluation `done` with its moment.
import { createInterface } from 'node:readline'
import { testKey } from './app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { evaluateAlerts } from '../src/domains/alerts/alerts.evaluate.ts'

const [url = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const deps = await openDeps(config, { url, ring: { keys: [testKey] }, log: openLog('silent') })
// Opens a connection, so that the first evaluation does not wait for it.
await deps.pool.query('select 1')
const lines = createInterface({ input: process.stdin })
lines.once('close', () => process.exit())
process.stdout.write('ready\n')
for await (const at of lines) {
  await evaluateAlerts(deps.db, { at, currency: config.currency })
  process.stdout.write(`done ${at}\n`)
}
