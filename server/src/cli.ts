import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { encryptedColumns } from './app/encrypted-columns.ts'
import { checkInstallation } from './app/check.ts'
import { createAdmin, recoverAccount } from './domains/auth/account-recovery.ts'
import { PasswordHasher } from './platform/security/passwords.ts'
import { restoreBackup } from './backup/backup.restore.ts'
import { moveFiles } from './backup/files.move.ts'
import { writeBackup, type BackupInstallation } from './backup/backup.write.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { startEmbedded } from './platform/database/embedded.ts'
import { getClusterPaths } from './platform/database/embedded.cluster.ts'
import { findRunningEmbedded } from './platform/database/embedded.running.ts'
import { migrate } from './platform/database/migrate.ts'
import { openFileStore } from './platform/files/file-store.ts'
import { openDb, openPool, type Db } from './platform/database/pool.ts'
import { reencryptSecrets, withKeyRotationLock } from './platform/security/encryption.rotate.ts'
import { createEncryption } from './platform/security/encryption.ts'
import { addKey, dropOldKeys, getKeyPath, loadKeyRing } from './secret-key.ts'

// The CLI of operators, for a running or a stopped product: npm run karvon -- <command>

interface Command {
  usage: string
  /** Whether it works without a database of the installation: it creates one, or asks for DATABASE_URL itself. */
  worksWithoutDatabase?: true
  run(config: Config, args: readonly string[]): Promise<string>
}

/** The arguments of a command are wrong. */
class UsageError extends Error {}

const commands: Readonly<Record<string, Command>> = {
  'create-admin': {
    usage: `<username>: create an admin
      The command generates a password and shows it once. --stdin: it reads the password from the standard input.`,
    run: withPassword(createAdmin, 'Administrator'),
  },
  'reset-password': {
    usage: `<username>: set a new password of a person and end their sessions
      The command generates a password and shows it once. --stdin: it reads the password from the standard input.
      --second-factor-off: it also turns the second factor off.`,
    run: withPassword(recoverAccount, 'Person', '--second-factor-off'),
  },
  migrate: {
    usage: `apply the migrations of a new version, with DATABASE_URL as the owner of the tables, while the product works
      For an installation whose processes connect as a role that does not own them, or wait (KARVON_MIGRATIONS=wait).
      Run it again after a kill.`,
    worksWithoutDatabase: true,
    run: runMigrations,
  },
  backup: {
    usage: `<folder>: write all rows and uploaded files into a new folder, while the product works
      Secrets stay encrypted. Keep the key (KARVON_SECRET_KEY, or secret.key in the data folder) in another place.`,
    run: async (config, args) => {
      const folder = requireSingleArgument(args)
      const { tables, files } = await withInstallation(config, (installation) =>
        writeBackup(installation, folder),
      )
      return `${describeContents(tables, files)} are in ${folder}.`
    },
  },
  restore: {
    usage: `<folder>: restore a backup into an empty database, before the product starts on it
      Everybody must sign in again. Messages that waited when the backup was made (uploads, notices,
      outgoing postbacks) are sent when the product starts.`,
    worksWithoutDatabase: true,
    run: async (config, args) => {
      const { tables, files } = await withInstallation(config, (installation) =>
        restoreBackup(installation, requireSingleArgument(args)),
      )
      return `${describeContents(tables, files)} are restored.`
    },
  },
  'move-files': {
    usage: `copy the uploaded files from the data folder to the bucket or folder that KARVON_FILES names, while the product works
      Then start all processes with KARVON_FILES. Run it again after a kill. The folder keeps its files.`,
    run: async (config, args) => {
      if (args.length > 0) throw new UsageError()
      if (config.s3 === undefined && (config.filesFolder ?? config.dataFolder) === config.dataFolder)
        throw new UsageError('move-files needs KARVON_FILES, such as s3://karvon-files.')
      const copiedCount = await withInstallation(config, moveFiles)
      return `${copiedCount} files are copied. Uploads go there now: start all processes with KARVON_FILES.`
    },
  },
  check: {
    usage: `compare all stored data, without a change, while the product works
      It compares totals with leads, lists with rows, parcels with their history, uploaded files with their checksums, and
      secrets with the keys. If data disagree, it ends with exit code 1.
      --sample: it compares totals and segments with the leads of random days, for about a minute, and says their share.`,
    run: runCheck,
  },
  'rotate-key': {
    usage: `encrypt all secrets with a new key, while the product works
      The new key is KARVON_SECRET_KEY, with the earlier one in KARVON_SECRET_KEY_OLD. Without this setting, the command
      generates a key in the data folder and keeps the old keys there. --finish, after every process has been restarted:
      it encrypts the remaining secrets and removes the old keys.`,
    run: rotateKey,
  },
}

/** Creates a command that sets the password of one person with `changePassword`. `flag` is an optional argument. */
function withPassword(changePassword: typeof recoverAccount, label: string, flag?: string): Command['run'] {
  return async (config, args) => {
    const username = requireSingleArgument(
      args.filter((argument) => argument !== '--stdin' && argument !== flag),
    )
    const pipedPassword = args.includes('--stdin')
      ? (await text(process.stdin)).replace(/\r?\n$/, '')
      : undefined
    const password = pipedPassword ?? randomBytes(12).toString('base64url')
    const hasFlag = flag !== undefined && args.includes(flag)
    const passwords = new PasswordHasher(config.passwordCost)
    const change = { username, password, secondFactorOff: hasFlag }
    await withDatabase(config, (db) => changePassword({ db, passwords }, change))
    return pipedPassword === undefined ? `${label} ${username}, password ${password}` : `${label} ${username}`
  }
}

async function runMigrations(
  { databaseUrl, databaseDirectUrl, timeZone }: Config,
  args: readonly string[],
): Promise<string> {
  const url = databaseDirectUrl ?? databaseUrl
  if (args.length > 0) throw new UsageError()
  if (url === undefined)
    throw new UsageError('migrate needs DATABASE_URL: the embedded database is migrated when Karvon starts.')
  const log = (message: string) => process.stderr.write(`${message}\n`)
  const appliedMigrations = await migrate(url, { timezone: timeZone, log })
  return appliedMigrations.length === 0
    ? 'No migration is pending.'
    : `Applied: ${appliedMigrations.join(', ')}.`
}

/** Seconds after which `check --sample` begins no day. */
const sampleSeconds = 60

async function runCheck(config: Config, args: readonly string[]): Promise<string> {
  const isSample = args[0] === '--sample'
  if (args.length > (isSample ? 1 : 0)) throw new UsageError()
  requireKey(config)
  const { ring } = await loadKeyRing(config)
  const encryption = createEncryption(ring.keys, ring.reload)
  const { lines, faults } = await withInstallation(config, (installation) =>
    checkInstallation({ ...installation, encryption }, isSample ? sampleSeconds : undefined),
  )
  if (faults > 0) process.exitCode = 1
  return lines.join('\n')
}

async function rotateKey(config: Config, args: readonly string[]): Promise<string> {
  const isFinish = args[0] === '--finish'
  if (args.length > (isFinish ? 1 : 0)) throw new UsageError()
  requireKey(config)
  const isOwnKeyFile = config.secretKey === undefined
  const changedCount = await withDatabase(config, (db) =>
    // Two rotations at once would each write a key file without the key of the other.
    withKeyRotationLock(db, async () => {
      if (isOwnKeyFile && !isFinish) await addKey(config.dataFolder)
      const { ring } = await loadKeyRing(config)
      const encryption = createEncryption(ring.keys, ring.reload)
      const count = await reencryptSecrets(db, encryption, encryptedColumns)
      if (isOwnKeyFile && isFinish) await dropOldKeys(config.dataFolder)
      return count
    }),
  )
  const result = `${changedCount} secrets are encrypted with the new key.`
  if (!isOwnKeyFile)
    return `${result} KARVON_SECRET_KEY_OLD is not needed any more, once every process has the new key.`
  if (isFinish) return `${result} The old keys are removed.`
  return `${result} Running processes load it by themselves. The old key stays for what they encrypt until then.`
}

const describeContents = (tables: readonly { rows: number }[], files: readonly string[]) =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${tables.length} tables and ${files.length} files`

/** Returns the only argument. Throws UsageError for none, for several and for an option. */
function requireSingleArgument(args: readonly string[]): string {
  const [argument, ...furtherArguments] = args
  if (argument === undefined || argument === '' || furtherArguments.length > 0) throw new UsageError()
  // Such as --help, or a mistyped option. It must not become the name of an admin or of a backup.
  if (argument.startsWith('-')) throw new UsageError()
  return argument
}

/** A shell without the settings of the installation must not create an empty database beside the real one. */
function requireDatabase({ databaseUrl, databaseDirectUrl, dataFolder }: Config): void {
  if ((databaseDirectUrl ?? databaseUrl) !== undefined || existsSync(getClusterPaths(dataFolder).cluster))
    return
  throw new ConfigError([
    `DATABASE_URL is not set, and KARVON_DATA (${dataFolder}) has no database: give the command the settings of the installation.`,
  ])
}

/** A command must not create a key: it would not decrypt the secrets of the installation. */
function requireKey({ secretKey, dataFolder }: Config): void {
  const path = getKeyPath(dataFolder)
  if (secretKey !== undefined || existsSync(path)) return
  throw new ConfigError([
    `KARVON_SECRET_KEY is not set, and ${path} does not exist: give the command the key of the installation.`,
  ])
}

/** Runs `work` on the database of the product: the running one, or the embedded one, started for this time. */
async function withInstallation<T>(
  config: Config,
  work: (installation: BackupInstallation) => Promise<T>,
): Promise<T> {
  const { dataFolder, timeZone } = config
  const runningUrl = config.databaseDirectUrl ?? config.databaseUrl ?? (await findRunningEmbedded(dataFolder))
  const embeddedServer =
    runningUrl === undefined ? await startEmbedded({ folder: dataFolder, log: () => {} }) : undefined
  try {
    const url = runningUrl ?? embeddedServer?.url ?? ''
    return await work({ url, timeZone, dataFolder, files: openFileStore(config) })
  } finally {
    await embeddedServer?.stop()
  }
}

const withDatabase = <T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> =>
  withInstallation(config, async ({ url, timeZone }) => {
    const pool = openPool(url, { timezone: timeZone, max: 2 })
    try {
      return await work(openDb(pool))
    } finally {
      await pool.end()
    }
  })

function formatUsage(): string {
  const lines = Object.entries(commands).map(
    ([name, { usage: usageText }]) => `  ${name}\n      ${usageText}`,
  )
  return `npm run karvon -- <command>\n\n${lines.join('\n')}\n`
}

/** An operator needs the cause too, for example the name of a missing bucket. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && !message.includes(cause.message)
    ? `${message} (${describeError(cause)})`
    : message
}

const [name = '', ...options] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined) {
  process.stderr.write(formatUsage())
  process.exit(2)
}
try {
  const config = readConfig(process.env)
  if (command.worksWithoutDatabase !== true) requireDatabase(config)
  // Such as a full disk. A new password that nobody can read must not look like a success or a crash.
  process.stdout.once('error', ({ message }) => {
    process.stderr.write(`${name} is done, but its result could not be written: ${message}\n`)
    process.exit(1)
  })
  process.stdout.write(`${await command.run(config, options)}\n`)
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n${formatUsage()}`.trimStart())
    process.exit(2)
  }
  const reason = describeError(error)
  process.stderr.write(error instanceof ConfigError ? `${reason}\n` : `${name} failed: ${reason}\n`)
  process.exit(1)
}
