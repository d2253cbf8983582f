import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { openDemo } from './app/demo.ts'
import { encryptedColumns } from './app/encrypted-columns.ts'
import { createJobs } from './app/jobs.ts'
import { ensureFirstAdmin, type FirstAdmin } from './domains/auth/first-admin.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { ensureConnectors } from './domains/connectors/connectors.start.ts'
import { hasStoredFiles } from './domains/uploads/uploads.queries.ts'
import { startEmbedded } from './platform/database/embedded.ts'
import { migrate, waitForMigrations } from './platform/database/migrate.ts'
import type { SignIn } from './demo/demo.references.ts'
import { openDeps, openLog } from './deps.ts'
import { startJobs, type RunningJobs } from './platform/jobs/jobs.ts'
import { isDatabaseUnavailable } from './platform/database/pg-errors.ts'
import { claimFileStore } from './platform/files/file-store.mark.ts'
import { probePort } from './platform/http/probe-port.ts'
import { findUnreadableSecret } from './platform/security/encryption.rotate.ts'
import { switchAccount } from './run-as.ts'
import { loadKeyRing, type KeyRing } from './secret-key.ts'

/** Milliseconds after the drain. By default both are shorter than the 40 s of the manifests. */
const shutdownTimeout = 25_000

type CleanupStep = () => unknown

/** Starts everything in order. `cleanup` collects the steps that stop it; they run from the last to the first. */
async function startProduct(config: Config, cleanup: CleanupStep[]): Promise<void> {
  if (config.runAs !== undefined)
    await switchAccount(config.runAs, [
      config.dataFolder,
      ...(config.filesFolder === undefined ? [] : [config.filesFolder]),
    ])
  // A process that cannot serve must not migrate the database of the processes that serve.
  for (const port of [config.port, config.metrics.port ?? 0]) await probePort(port, config.host)
  const log = openLog(config.logLevel)
  if (config.unknownSettings.length > 0)
    log.warn(`Karvon has no settings with these names: ${config.unknownSettings.join(', ')}`)
  const logInfo = (message: string) => log.info(message)
  let url = config.databaseUrl
  if (url === undefined) {
    if (process.getuid?.() === 0)
      log.warn(
        'Karvon runs as root, and the embedded database as nobody, an account that other services may share. Start Karvon as an account of its own, or name one in KARVON_RUN_AS.',
      )
    const embeddedDatabase = await startEmbedded({ folder: config.dataFolder, log: logInfo })
    cleanup.push(() => embeddedDatabase.stop())
    url = embeddedDatabase.url
  }
  const prepare = config.migrations === 'wait' ? waitForMigrations : migrate
  await prepare(config.databaseDirectUrl ?? url, { timezone: config.timeZone, log: logInfo })
  // After the database, which creates the data folder with the rights that its account needs. A wrong DATABASE_URL creates
  // no key.
  const deps = await openDeps(config, { url, ring: await loadKeys(config), log })
  cleanup.push(() => deps.close())
  if (!(await claimFileStore(deps.db, { store: deps.files, hasFiles: hasStoredFiles })))
    log.error(
      { folder: config.filesFolder ?? config.dataFolder, bucket: config.s3?.bucket },
      'The uploaded files of this database are in another place: set KARVON_DATA to the folder that all processes share, or move the files with "npm run karvon -- move-files"',
    )
  const unreadableSecret = await findUnreadableSecret(deps.db, deps.encryption, encryptedColumns)
  if (unreadableSecret !== null) log.error(`Stored secrets cannot be decrypted: ${unreadableSecret}`)
  await ensureConnectors(deps.db)
  const admin = await ensureFirstAdmin(deps, {
    username: config.adminUsername,
    password: config.adminPassword,
  })
  const demo = await openDemo(deps)
  const signInText = describeSignIn(admin, demo.signIns)
  try {
    const app = await buildApp(deps)
    let jobs: RunningJobs | undefined
    cleanup.push(() => Promise.all([jobs?.stop(), drainAndClose(app, config.drainSeconds)]))
    await app.listen({ port: config.port, host: config.host })
    if (config.process !== 'web') {
      jobs = startJobs(deps, [...createJobs(deps), ...demo.jobs])
    }
    const { port } = app.server.address() as AddressInfo
    const host = config.host.includes(':') ? `[${config.host}]` : config.host
    print(['', `Karvon is ready:  http://${host}:${port}`, '', ...signInText, '', 'Ctrl-C stops it.', ''])
  } catch (error) {
    // The new passwords are stored only as hashes, so they must be shown now.
    if (admin.password !== undefined || demo.signIns.length > 0) print(['', ...signInText, ''])
    throw error
  }
}

async function drainAndClose(app: FastifyInstance, seconds: number): Promise<void> {
  if (app.server.listening) await app.drain.run(seconds)
  await app.close()
}

const print = (lines: string[]) =>
  process.stdout.write(lines.map((line) => `${line && `  ${line}`}\n`).join(''))

async function loadKeys(config: Config): Promise<KeyRing> {
  const { ring, path } = await loadKeyRing(config)
  if (path !== undefined && config.databaseUrl !== undefined) {
    process.stderr.write(
      `KARVON_SECRET_KEY is not set: secrets are encrypted with ${path}.\n` +
        `Every process on this database needs the same key; keep a copy with the backups.\n`,
    )
  }
  return ring
}

function describeSignIn(admin: FirstAdmin, signIns: SignIn[]): string[] {
  const lines = []
  if (admin.password !== undefined) {
    lines.push(`Sign in as  ${admin.username}`, `Password    ${admin.password}`)
    lines.push('(generated now and shown only this once)')
  } else if (admin.isCreated) {
    lines.push(`Sign in as  ${admin.username}  with the password of KARVON_ADMIN_PASSWORD`)
    if (admin.brokenRule !== null) lines.push(`(${admin.brokenRule} Choose another one on the profile page.)`)
  } else {
    lines.push('Sign in with the accounts that exist.')
  }
  if (signIns.length > 0) {
    lines.push('', 'Sample data was added. The sample accounts (their passwords are shown only this once):')
    for (const { username, password, role } of signIns)
      lines.push(`${username.padEnd(10)}  ${password}  ${role}`)
  }
  return lines
}

/** An error of listening; `hostname` is a name that has no address. */
type ListenError = NodeJS.ErrnoException & { port?: number; hostname?: string }

function describeStartError(error: unknown, config: Config | undefined): string {
  const { code, syscall, port, hostname } = error as ListenError
  if (code === 'EADDRINUSE' && config !== undefined && port !== undefined && port === config.metrics.port)
    return `Port ${port} of KARVON_METRICS_PORT on ${config.host} is in use. Stop what uses it, or choose another.`
  if (
    config !== undefined &&
    (hostname === config.host || (code === 'EADDRNOTAVAIL' && syscall === 'listen'))
  )
    return `HOST=${config.host} is no address of this machine. Use 127.0.0.1 for this machine alone, or 0.0.0.0 for all networks.`
  if (code === 'EADDRINUSE' && config !== undefined) {
    return `Port ${config.port} on ${config.host} is in use. Stop what uses it, or choose another: PORT=${config.port + 1}`
  }
  if (code === 'EACCES' && config !== undefined && config.port < 1024) {
    return `Port ${config.port} needs more rights than this account has. Choose another: PORT=8080`
  }
  if (error instanceof ConfigError) return error.message
  const reason = error instanceof Error ? error.message || code : String(error)
  if (config?.databaseUrl !== undefined && isDatabaseUnavailable(error)) {
    const names = ['DATABASE_URL', ...(config.databaseDirectUrl ? ['KARVON_DATABASE_DIRECT_URL'] : [])]
    const settings = names.join(' or ')
    return `The database of ${settings} cannot be used: ${reason}. Start it, or correct ${settings}.`
  }
  return `Karvon could not start: ${reason}`
}

/** Runs all steps, also after one that fails: the embedded database must stop. Throws the first error. */
async function runCleanup(cleanup: CleanupStep[]): Promise<void> {
  const errors: unknown[] = []
  for (let step = cleanup.pop(); step !== undefined; step = cleanup.pop()) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

async function main(): Promise<void> {
  const cleanup: CleanupStep[] = []
  let config: Config | undefined
  let stopping: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    // npm and the terminal both forward one Ctrl-C, so only a later one counts as the second.
    if (stopping !== undefined && performance.now() - stopping < 1000) return
    if (stopping !== undefined) process.exit(130)
    stopping = performance.now()
    process.stdout.write(`\n${signal}: finishing what is under way. Once more to stop at once.\n`)
    setTimeout(() => process.exit(1), shutdownTimeout + (config?.drainSeconds ?? 0) * 1000).unref()
    starting
      .then(() => runCleanup(cleanup))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${describeStartError(error, config)}\n`)
          process.exit(1)
        },
      )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const starting = (async () => {
    config = readConfig(process.env)
    await startProduct(config, cleanup)
  })()
  try {
    await starting
  } catch (error) {
    process.stderr.write(`${describeStartError(error, config)}\n`)
    await runCleanup(cleanup).catch(() => {})
    process.exit(1)
  }
}

await main()
