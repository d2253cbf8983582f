import type { AddressInfo } from 'node:net'
import { buildApp } from './app.ts'
import { openDemo } from './app/demo.ts'
import { jobsOf } from './app/jobs.ts'
import { ensureFirstAdmin, type FirstAdmin } from './domains/auth/first-admin.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { ensureConnectors } from './domains/connectors/connectors.start.ts'
import { startEmbedded } from './platform/database/embedded.ts'
import { migrate } from './platform/database/migrate.ts'
import type { SignIn } from './demo/demo.desk.ts'
import { openDeps, openLog } from './deps.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import { isDatabaseAway } from './platform/database/pg-errors.ts'
import { runAs } from './run-as.ts'
import { keyRing, type KeyRing } from './secret-key.ts'

/** Milliseconds that what is under way gets to finish: less than the half minute that managers of services wait. */
const patience = 25_000

type Undo = () => unknown

/** Starts everything in order; `undo` collects what ends it, the last first. */
async function start(config: Config, undo: Undo[]): Promise<void> {
  if (config.runAs !== undefined) runAs(config.runAs, config.dataFolder)
  const log = openLog(config.logLevel)
  const say = (message: string) => log.info(message)
  let url = config.databaseUrl
  if (url === undefined) {
    if (process.getuid?.() === 0)
      log.warn(
        'Karvon runs as root, and the built-in database as nobody, an account that other services may share. Start Karvon as an account of its own, or name one in KARVON_RUN_AS.',
      )
    const embedded = await startEmbedded({ folder: config.dataFolder, log: say })
    undo.push(() => embedded.stop())
    url = embedded.url
  }
  // After the database: it makes the data folder with the rights that its own account needs.
  const keys = await ownKeys(config)
  await migrate(url, { timezone: config.timeZone, log: say })
  const deps = await openDeps(config, url, keys, log)
  undo.push(() => deps.close())
  await ensureConnectors(deps.db)
  const admin = await ensureFirstAdmin(deps.db, {
    username: config.adminUsername,
    password: config.adminPassword,
  })
  const demo = await openDemo(deps)
  const howTo = signingIn(admin, demo.signIns)
  try {
    const app = await buildApp(deps)
    undo.push(() => app.close())
    await app.listen({ port: config.port, host: config.host })
    if (config.process !== 'web') {
      const jobs = startJobs(deps.pool, log, deps.bell, [...jobsOf(deps), ...demo.jobs])
      // Both at once: no new request comes while the jobs give back what they have.
      const closeApp = undo.pop()
      undo.push(() => Promise.all([jobs.stop(), closeApp?.()]))
    }
    const { port } = app.server.address() as AddressInfo
    const host = config.host.includes(':') ? `[${config.host}]` : config.host
    print(['', `Karvon is ready:  http://${host}:${port}`, '', ...howTo, '', 'Ctrl-C stops it.', ''])
  } catch (error) {
    // The passwords made above are stored as hashes alone: shown now or lost.
    if (admin.password !== undefined) print(['', ...howTo, ''])
    throw error
  }
}

const print = (lines: string[]) =>
  process.stdout.write(lines.map((line) => `${line && `  ${line}`}\n`).join(''))

async function ownKeys(config: Config): Promise<KeyRing> {
  const { ring, path } = await keyRing(config)
  if (path !== undefined && config.databaseUrl !== undefined) {
    process.stderr.write(
      `KARVON_SECRET_KEY is not set: secrets are sealed with ${path}.\n` +
        `Every process on this database needs the same key; keep a copy with the backups.\n`,
    )
  }
  return ring
}

function signingIn(admin: FirstAdmin, signIns: SignIn[]): string[] {
  const lines = []
  if (admin.password !== undefined) {
    lines.push(`Sign in as  ${admin.username}`, `Password    ${admin.password}`)
    lines.push('(made now and shown only this once)')
  } else if (admin.made) {
    lines.push(`Sign in as  ${admin.username}  with the password of KARVON_ADMIN_PASSWORD`)
    if (admin.weakness !== null)
      lines.push(`(The password ${admin.weakness}. Choose another one on the profile page.)`)
  } else {
    lines.push('Sign in as set before.')
  }
  if (signIns.length > 0) {
    lines.push('', 'The desk is filled with a demo. Its people sign in too (shown only this once):')
    for (const { username, password, role } of signIns)
      lines.push(`${username.padEnd(10)}  ${password}  ${role}`)
  }
  return lines
}

function explain(error: unknown, config: Config | undefined): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE' && config !== undefined) {
    return `Port ${config.port} on ${config.host} is in use. Stop what uses it, or choose another: PORT=${config.port + 1}`
  }
  if (code === 'EACCES' && config !== undefined && config.port < 1024) {
    return `Port ${config.port} needs more rights than this account has. Choose another: PORT=8080`
  }
  if (error instanceof ConfigError) return error.message
  const reason = error instanceof Error ? error.message || code : String(error)
  if (config?.databaseUrl !== undefined && isDatabaseAway(error)) {
    return `The database of DATABASE_URL cannot be used: ${reason}. Start it, or correct DATABASE_URL.`
  }
  return `Karvon could not start: ${reason}`
}

async function stop(undo: Undo[]): Promise<void> {
  for (let end = undo.pop(); end !== undefined; end = undo.pop()) await end()
}

async function main(): Promise<void> {
  const undo: Undo[] = []
  let config: Config | undefined
  let stopping: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    // npm and the terminal both pass one Ctrl-C on; only a second one means it.
    if (stopping !== undefined && performance.now() - stopping < 1000) return
    if (stopping !== undefined) process.exit(130)
    stopping = performance.now()
    process.stdout.write(`\n${signal}: finishing what is under way. Once more to stop at once.\n`)
    setTimeout(() => process.exit(1), patience).unref()
    starting
      .then(() => stop(undo))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${explain(error, config)}\n`)
          process.exit(1)
        },
      )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const starting = (async () => {
    config = readConfig(process.env)
    await start(config, undo)
  })()
  try {
    await starting
  } catch (error) {
    process.stderr.write(`${explain(error, config)}\n`)
    await stop(undo).catch(() => {})
    process.exit(1)
  }
}

await main()
