// Serves the product in a separate process. The argument is the URL of the database. Settings come from the environment.
// Prints its address. The header x-die of a request kills the process at its first commit: `before` PostgreSQL gets it,
// or `after` its answer.
import pg from 'pg'
import { testKey } from './app.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'

type QueryFunction = (this: pg.Client, ...args: unknown[]) => unknown
let killPoint: unknown
const killSelf = () => process.kill(process.pid, 'SIGKILL')

const { query } = pg.Client.prototype as unknown as { query: QueryFunction }
const interceptedQuery: QueryFunction = function interceptedQuery(...args) {
  const [first] = args
  const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text
  if (killPoint === undefined || text?.toLowerCase() !== 'commit') return query.apply(this, args)
  if (killPoint === 'before') killSelf()
  return Promise.resolve(query.apply(this, args)).then(killSelf)
}
Object.assign(pg.Client.prototype, { query: interceptedQuery })

const [url = ''] = process.argv.slice(2)
const deps = await openDeps(readConfig(process.env), {
  url,
  ring: { keys: [testKey] },
  log: openLog('silent'),
})
const app = await buildApp(deps)
app.server.prependListener('request', ({ headers }) => {
  killPoint = headers['x-die']
})
process.stdin.once('end', () => process.exit()).resume()
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
