import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lchownSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './embedded.account.ts'
import type { Binaries } from './embedded.binaries.ts'

/** The paths of the embedded PostgreSQL below the data folder. */
export interface ClusterPaths {
  /** All files of PostgreSQL. Owned by its account, mode 0700. */
  home: string
  /** PostgreSQL's own data directory. */
  cluster: string
  /** PostgreSQL's log; older lines are in postgres.log.1. */
  log: string
  /** The password of the role `karvon`. Owned by the account of this process, mode 0600. */
  password: string
}

export interface Programs {
  binaries: Binaries
  account: Account
  environment: Record<string, string>
}

export function getClusterPaths(folder: string): ClusterPaths {
  const home = join(folder, 'postgres')
  return {
    home,
    cluster: join(home, 'cluster'),
    log: join(folder, 'postgres.log'),
    password: join(folder, 'postgres.password'),
  }
}

/**
 * Creates the data directory if it is missing, with the database and the role `karvon`, and returns the password of
 * the role. An interrupted creation leaves a folder that the next start removes. The superuser has no password, so
 * nobody can sign in as superuser. The role may only create databases.
 */
export async function ensureCluster(paths: ClusterPaths, programs: Programs): Promise<string> {
  for (const name of readdirSync(paths.home)) {
    if (name.startsWith('new-')) await rm(join(paths.home, name), { recursive: true, force: true })
  }
  const isCreated = existsSync(join(paths.cluster, 'PG_VERSION'))
  const storedPassword = readPassword(paths.password)
  if (isCreated && storedPassword !== undefined) return storedPassword
  const password = storedPassword ?? randomBytes(24).toString('base64url')
  if (isCreated) await runSingleUserSql(paths.cluster, programs, `alter role karvon password '${password}';`)
  await writePassword(paths.password, password)
  if (!isCreated) await createCluster(paths, programs, password)
  return password
}

async function createCluster(paths: ClusterPaths, programs: Programs, password: string): Promise<void> {
  const folder = await mkdtemp(join(paths.home, 'new-'))
  changeFolderOwner(folder, programs.account)
  await runInitdb(folder, programs)
  await runSingleUserSql(
    folder,
    programs,
    `create role karvon login createdb password '${password}';\ncreate database karvon owner karvon;`,
  )
  // The 0700 folder is not enough: started by root, PostgreSQL runs as nobody, and so may other programs.
  const rules = 'local all postgres reject\nlocal all all scram-sha-256\n'
  await writeFile(join(folder, 'pg_hba.conf'), rules)
  await rename(folder, paths.cluster)
}

async function runInitdb(folder: string, { binaries, account, environment }: Programs): Promise<void> {
  const common = ['-D', folder, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-instructions']
  // The built-in locale provider (PostgreSQL 17 and later) sorts the same on every machine. Older versions use the C
  // library.
  const builtin = existsSync(join(binaries.folder, 'lib', 'libpq.so.5.15')) ? [] : builtinLocale
  let failure = ''
  // pg_trgm splits words by lc_ctype. The UTF-8 locale without a country has three names.
  for (const ctype of ['C.UTF-8', 'C.utf8', 'en_US.UTF-8']) {
    const locale = [...builtin, '--locale=C', `--lc-ctype=${ctype}`]
    const result = await runProgram(binaries.initdb, [...common, ...locale], { account, environment })
    if (result.code === 0) return
    failure = result.output
    if (!failure.includes('locale')) break
  }
  throw new Error(
    `The embedded PostgreSQL could not create its data directory ${folder}: ${failure.trim()}. ` +
      `Correct this, or set DATABASE_URL`,
  )
}

const builtinLocale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** Runs statements, one per line, as superuser in a single-user backend, which needs no server and no password. */
async function runSingleUserSql(cluster: string, programs: Programs, sql: string): Promise<void> {
  const args = ['--single', '-D', cluster, '-c', 'log_checkpoints=off', '-c', 'exit_on_error=on', 'postgres']
  const result = await runProgram(programs.binaries.postgres, args, { ...programs, input: `${sql}\n` })
  if (result.code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(result.output)) return
  // The message must not contain the statement, because it has the password.
  const reason = /\b(?:ERROR|FATAL|PANIC):[^\n]*/.exec(result.output)?.[0] ?? `exit code ${result.code}`
  throw new Error(
    `The embedded PostgreSQL could not prepare ${cluster}: ${reason}. Correct this, or set DATABASE_URL`,
  )
}

interface RunOptions {
  account: Account
  environment: Record<string, string>
  input?: string
}

function runProgram(
  program: string,
  args: string[],
  options: RunOptions,
): Promise<{ code: number | null; output: string }> {
  const [command = program, ...rest] = [...options.account.prefix, program, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      ...options.account.ids,
      cwd: '/',
      env: buildProgramEnvironment(options.environment),
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
    // A program that ends before it reads its input reports that itself.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}

/** The environment of the programs. PG* variables and locale settings of the shell must not change the database. */
export function buildProgramEnvironment(variables: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...variables }
}

/** As root, makes the account of PostgreSQL the owner of one folder. */
export function changeFolderOwner(path: string, { ids }: Account): void {
  if (ids.uid !== undefined && ids.gid !== undefined) lchownSync(path, ids.uid, ids.gid)
}

export function readPassword(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').trim()
  return /^[\w-]{32}$/.test(text) ? text : undefined
}

async function writePassword(path: string, password: string): Promise<void> {
  const newFile = `${path}.new`
  await writeFile(newFile, `${password}\n`, { mode: 0o600 })
  chmodSync(newFile, 0o600)
  await rename(newFile, path)
}
