import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lchownSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './embedded.account.ts'
import type { Binaries } from './embedded.binaries.ts'

/** Where the built-in PostgreSQL keeps things, below the data folder. */
export interface Places {
  /** Everything PostgreSQL writes; belongs to the account that it runs as, mode 0700. */
  home: string
  /** PostgreSQL's own data directory. */
  cluster: string
  /** What PostgreSQL says, and postgres.log.1 before it. */
  log: string
  /** Password of the role `karvon`; belongs to this process's account, mode 0600. */
  password: string
}

/** A command to run as the account, with the libraries' environment. */
export interface Programs {
  binaries: Binaries
  account: Account
  environment: Record<string, string>
}

export function placesIn(folder: string): Places {
  const home = join(folder, 'postgres')
  return {
    home,
    cluster: join(home, 'cluster'),
    log: join(folder, 'postgres.log'),
    password: join(folder, 'postgres.password'),
  }
}

/**
 * Makes the data directory if there is none, with the database and the role `karvon` in it, and
 * answers that role's password. An interrupted making leaves only a folder that the next start removes.
 * PostgreSQL's superuser has no password, so nobody signs in as it; the role may make databases, no more.
 */
export async function ensureCluster(places: Places, programs: Programs): Promise<string> {
  for (const name of readdirSync(places.home)) {
    if (name.startsWith('new-')) await rm(join(places.home, name), { recursive: true, force: true })
  }
  const made = existsSync(join(places.cluster, 'PG_VERSION'))
  const known = readPassword(places.password)
  if (made && known !== undefined) return known
  const password = known ?? randomBytes(24).toString('base64url')
  if (made) await single(places.cluster, programs, `alter role karvon password '${password}';`)
  await writePassword(places.password, password)
  if (!made) await make(places, programs, password)
  return password
}

async function make(places: Places, programs: Programs, password: string): Promise<void> {
  const fresh = await mkdtemp(join(places.home, 'new-'))
  giveToAccount(fresh, programs.account)
  await initialise(fresh, programs)
  await single(
    fresh,
    programs,
    `create role karvon login createdb password '${password}';\ncreate database karvon owner karvon;`,
  )
  // A password besides the 0700 folder: as root, PostgreSQL runs as nobody, whom other programs may run as too.
  const rules = 'local all postgres reject\nlocal all all scram-sha-256\n'
  await writeFile(join(fresh, 'pg_hba.conf'), rules)
  await rename(fresh, places.cluster)
}

async function initialise(fresh: string, { binaries, account, environment }: Programs): Promise<void> {
  const common = ['-D', fresh, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-instructions']
  // The built-in provider (from 17) orders and folds alike on every machine; older ones ask the C library.
  const builtin = existsSync(join(binaries.folder, 'lib', 'libpq.so.5.15')) ? [] : BUILTIN
  let failure = ''
  // Words are told apart by lc_ctype (pg_trgm), and the UTF-8 locale without a country has three names.
  for (const ctype of ['C.UTF-8', 'C.utf8', 'en_US.UTF-8']) {
    const locale = [...builtin, '--locale=C', `--lc-ctype=${ctype}`]
    const result = await run(binaries.initdb, [...common, ...locale], { account, environment })
    if (result.code === 0) return
    failure = result.output
    if (!failure.includes('locale')) break
  }
  throw new Error(
    `The built-in PostgreSQL could not make its data directory ${fresh}: ${failure.trim()}. ` +
      `Mend that, or set DATABASE_URL`,
  )
}

const BUILTIN = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** Runs statements, one a line, as superuser in a stand-alone backend: needs no server and no password. */
async function single(cluster: string, programs: Programs, sql: string): Promise<void> {
  const args = ['--single', '-D', cluster, '-c', 'log_checkpoints=off', '-c', 'exit_on_error=on', 'postgres']
  const result = await run(programs.binaries.postgres, args, { ...programs, input: `${sql}\n` })
  if (result.code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(result.output)) return
  // The statement holds the password and is left out.
  const reason = /\b(?:ERROR|FATAL|PANIC):[^\n]*/.exec(result.output)?.[0] ?? `exit code ${result.code}`
  throw new Error(
    `The built-in PostgreSQL could not prepare ${cluster}: ${reason}. Mend that, or set DATABASE_URL`,
  )
}

interface RunOptions {
  account: Account
  environment: Record<string, string>
  input?: string
}

function run(
  program: string,
  args: string[],
  options: RunOptions,
): Promise<{ code: number | null; output: string }> {
  const [command = program, ...rest] = [...options.account.prefix, program, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      ...options.account.ids,
      cwd: '/',
      env: programEnvironment(options.environment),
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
    // A program that ends before it reads says so itself.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}

/** Only what the programs need: PG* variables and locale settings of the shell must not change the database. */
export function programEnvironment(extra: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...extra }
}

/** As root, hands one folder to the account that PostgreSQL runs as. */
export function giveToAccount(path: string, { ids }: Account): void {
  if (ids.uid !== undefined && ids.gid !== undefined) lchownSync(path, ids.uid, ids.gid)
}

export function readPassword(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').trim()
  return /^[\w-]{32}$/.test(text) ? text : undefined
}

async function writePassword(path: string, password: string): Promise<void> {
  const fresh = `${path}.new`
  await writeFile(fresh, `${password}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  await rename(fresh, path)
}
