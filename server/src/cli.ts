import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { resources } from '@karvon/contract/registry.ts'
import { checkInstallation } from './app/check.ts'
import { createAdmin, resetPassword } from './domains/auth/rescue.ts'
import { sealedSecondFactors } from './domains/auth/second-factor.store.ts'
import { restoreBackup } from './backup/backup.restore.ts'
import { writeBackup, type BackupPlace } from './backup/backup.write.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { startEmbedded } from './platform/database/embedded.ts'
import { runningEmbedded } from './platform/database/embedded.running.ts'
import { openDb, openPool, type Db } from './platform/database/pool.ts'
import { reseal, sealedOf } from './platform/security/reseal.ts'
import { openSeal } from './platform/security/seal.ts'
import { addKey, dropOldKeys, keyRing } from './secret-key.ts'

// What an operator does from a shell, beside the running product or without it: npm run karvon -- <command>

interface Command {
  what: string
  run(config: Config, given: readonly string[]): Promise<string>
}

/** Said where a command is not called as it wants to be. */
class UsageError extends Error {}

const commands: Readonly<Record<string, Command>> = {
  'create-admin': {
    what: `<username>: make another administrator
      The password is made up and shown once; --stdin reads it from the standard input instead.`,
    run: withPassword(createAdmin, 'Administrator'),
  },
  'reset-password': {
    what: `<username>: give a person a new password and end their sessions
      The password is made up and shown once; --stdin reads it from the standard input instead.
      --second-factor-off: take their second factor off as well.`,
    run: withPassword(resetPassword, 'Person', '--second-factor-off'),
  },
  backup: {
    what: `<folder>: write all rows and uploaded files into a new folder, while the product works
      Secrets stay sealed: keep the key (KARVON_SECRET_KEY, or secret.key in the data folder) somewhere else.`,
    run: async (config, given) => {
      const folder = onlyOne(given)
      const { tables, files } = await withPlace(config, (place) => writeBackup(place, folder))
      return `${held(tables, files)} are in ${folder}.`
    },
  },
  restore: {
    what: `<folder>: bring a backup into an empty database, before the product is started on it
      Everybody signs in anew. What waited to be sent when the backup was made is sent once the product starts.`,
    run: async (config, given) => {
      const { tables, files } = await withPlace(config, (place) => restoreBackup(place, onlyOne(given)))
      return `${held(tables, files)} are restored.`
    },
  },
  check: {
    what: `look whether all that is stored agrees, without changing anything, while the product works
      Totals against leads, lists against rows, parcels against their history, uploaded files against their sums,
      secrets against the keys. Ends with 1 where something does not.`,
    run: check,
  },
  'rotate-key': {
    what: `seal all secrets with a new key, while the product works
      The key is that of KARVON_SECRET_KEY, with the one before in KARVON_SECRET_KEY_OLD; without it a new one is
      made in the data folder, and the old ones stay there. --finish: once every process has been restarted
      since, seal what is left and drop the old ones.`,
    run: rotateKey,
  },
}

/** A command on one person that gives them a password, by what does it; `flag` is a word that it takes besides. */
function withPassword(work: typeof resetPassword, called: string, flag?: string): Command['run'] {
  return async (config, given) => {
    const username = onlyOne(given.filter((each) => each !== '--stdin' && each !== flag))
    const piped = given.includes('--stdin') ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
    const password = piped ?? randomBytes(12).toString('base64url')
    const flagged = flag !== undefined && given.includes(flag)
    await withDatabase(config, (db) => work(db, username, password, flagged))
    return piped === undefined ? `${called} ${username}, password ${password}` : `${called} ${username}`
  }
}

async function check(config: Config, given: readonly string[]): Promise<string> {
  if (given.length > 0) throw new UsageError()
  const { ring } = await keyRing(config)
  const seal = openSeal(ring.keys, ring.reload)
  const { lines, faults } = await withPlace(config, (place) => checkInstallation({ ...place, seal }))
  if (faults > 0) process.exitCode = 1
  return lines.join('\n')
}

async function rotateKey(config: Config, given: readonly string[]): Promise<string> {
  const finish = given.includes('--finish')
  const ours = config.secretKey === undefined
  if (ours && !finish) await addKey(config.dataFolder)
  const { ring } = await keyRing(config)
  const seal = openSeal(ring.keys, ring.reload)
  const changed = await withDatabase(config, (db) =>
    reseal(db, seal, [...sealedOf(resources), sealedSecondFactors]),
  )
  const said = `${changed} secrets are sealed with the new key.`
  if (ours && finish) await dropOldKeys(config.dataFolder)
  if (finish) return `${said} The old ones are gone.`
  return `${said} Processes that run take it up by themselves; the old key stays for what they seal meanwhile.`
}

const held = (tables: readonly { rows: number }[], files: readonly string[]) =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${tables.length} tables and ${files.length} files`

/** The one thing that a command is told. */
function onlyOne(given: readonly string[]): string {
  const [one, ...more] = given
  if (one === undefined || one === '' || more.length > 0) throw new UsageError()
  return one
}

/** With the database that the product uses: the running one, or the built-in one started for the while. */
async function withPlace<T>(config: Config, work: (place: BackupPlace) => Promise<T>): Promise<T> {
  const { dataFolder, timeZone } = config
  const known = config.databaseUrl ?? (await runningEmbedded(dataFolder))
  const own = known === undefined ? await startEmbedded({ folder: dataFolder, log: () => {} }) : undefined
  try {
    return await work({ url: known ?? own?.url ?? '', timeZone, dataFolder })
  } finally {
    await own?.stop()
  }
}

const withDatabase = <T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> =>
  withPlace(config, async ({ url, timeZone }) => {
    const pool = openPool(url, { timezone: timeZone, max: 2 })
    try {
      return await work(openDb(pool))
    } finally {
      await pool.end()
    }
  })

function usage(): string {
  const lines = Object.entries(commands).map(([name, { what }]) => `  ${name}\n      ${what}`)
  return `npm run karvon -- <command>\n\n${lines.join('\n')}\n`
}

const [name = '', ...options] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined) {
  process.stderr.write(usage())
  process.exit(2)
}
try {
  process.stdout.write(`${await command.run(readConfig(process.env), options)}\n`)
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(usage())
    process.exit(2)
  }
  const reason = error instanceof Error ? error.message : String(error)
  process.stderr.write(error instanceof ConfigError ? `${reason}\n` : `${name} failed: ${reason}\n`)
  process.exit(1)
}
