import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signIn, signInAdmin, testKey, type Product } from '../test/app.ts'
import { createUser } from '../test/people.ts'
import { processEnv } from '../test/process-env.ts'
import { createSample } from '../test/sample.ts'
import { turnOnSecondFactor } from '../test/second-factor.ts'
import { createEncryption } from './platform/security/encryption.ts'

let product: Product
let folder: string

beforeAll(async () => {
  product = await createTestApp()
  folder = await mkdtemp(join(tmpdir(), 'karvon-command-'))
})

afterAll(async () => {
  await product.close()
  await rm(folder, { recursive: true, force: true })
})

const run = promisify(execFile)
const command = join(import.meta.dirname, 'cli.ts')

const karvon = (args: string[], env: Record<string, string> = {}) =>
  run(process.execPath, [command, ...args], {
    env: { ...processEnv, DATABASE_URL: product.databaseUrl, KARVON_DATA: folder, ...env },
  })

// Each command is a process of its own.
const slow = { timeout: 600_000 }
const base64 = (key: Buffer) => key.toString('base64')

test('rotate-key encrypts every secret with the new key, and each still decrypts', slow, async () => {
  const admin = await signInAdmin(product.app)
  const secrets = { pass: 'тайна', api_key: 'key-1', token: 'token-1' }
  const { id } = await createSample(product.app, admin, sourceCredentials, secrets)
  await createSample(product.app, admin, sourceCredentials, secrets)
  const guardedSession = await createUser(product.app, admin, 'guarded')
  const { authenticator } = await turnOnSecondFactor(product.app, guardedSession, 'guarded-password')
  const fresh = randomBytes(32)
  const keys = { KARVON_SECRET_KEY: base64(fresh), KARVON_SECRET_KEY_OLD: base64(testKey) }
  expect((await karvon(['rotate-key'], keys)).stdout).toContain('7 secrets are encrypted with the new key.')
  const row = await product.deps.db
    .selectFrom('source_credentials')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const encryption = createEncryption([fresh])
  for (const [column, plain] of Object.entries(secrets)) {
    const encryptedText = row[column as keyof typeof secrets] ?? ''
    expect(encryption.decrypt(encryptedText, { table: 'source_credentials', row: id, column })).toBe(plain)
  }
  const factor = await product.deps.db.selectFrom('second_factors').selectAll().executeTakeFirstOrThrow()
  const place = { table: 'second_factors', row: factor.id, column: 'secret' }
  expect(encryption.decrypt(factor.secret, place)).toBe(authenticator.secret)
  expect((await karvon(['rotate-key'], keys)).stdout).toContain('0 secrets')
  const rotation = karvon(['rotate-key'], { KARVON_SECRET_KEY: base64(randomBytes(32)) })
  await expect(rotation).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('KARVON_SECRET_KEY_OLD'),
  })
})

test(
  'rotate-key without a key in the environment adds one to the file, and keeps the old one until --finish',
  slow,
  async () => {
    const lines = async () => (await readFile(join(folder, 'secret.key'), 'utf8')).trim().split('\n')
    await product.deps.pool.query('delete from source_credentials')
    await product.deps.pool.query('delete from second_factors')
    for (const command of ['check', 'rotate-key'])
      await expect(karvon([command]), 'a new key would decrypt nothing').rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`KARVON_SECRET_KEY is not set, and ${join(folder, 'secret.key')}`),
      })
    expect(await readdir(folder)).not.toContain('secret.key')
    await writeFile(join(folder, 'secret.key'), `${base64(testKey)}\n`)
    await karvon(['rotate-key'])
    const [first, old] = await lines()
    expect([first, old]).toEqual([expect.any(String), base64(testKey)])
    await karvon(['rotate-key', '--finish'])
    expect(await lines()).toEqual([first])
    await expect(karvon(['rotate-key', '--finsh'])).rejects.toMatchObject({ code: 2 })
    expect(await lines()).toEqual([first])
  },
)

test('a key rotation waits for another one, so both new keys stay', slow, async () => {
  const path = join(folder, 'secret.key')
  const readKeys = async () => (await readFile(path, 'utf8')).trim().split('\n')
  const countWaiting = async () => {
    const { rows } = await product.deps.pool.query<{ count: number }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.count
  }
  await writeFile(path, `${base64(testKey)}\n`)
  const client = await product.deps.pool.connect()
  const rotations: Promise<unknown>[] = []
  try {
    await client.query('begin')
    await client.query('lock table source_credentials')
    for (const count of [1, 2]) {
      rotations.push(karvon(['rotate-key']))
      await expect.poll(countWaiting).toBe(count)
    }
    expect(await readKeys()).toHaveLength(2)
  } finally {
    await client.query('rollback')
    client.release()
    await Promise.all(rotations)
  }
  const keys = await readKeys()
  expect(new Set(keys).size).toBe(3)
  expect(keys.at(-1)).toBe(base64(testKey))
})

test('create-admin makes an admin, and reset-password ends every session of its person', slow, async () => {
  const { stdout } = await karvon(['create-admin', 'second'])
  const password = stdout.trim().split(' ').at(-1) ?? ''
  const second = await signIn(product.app, 'second', password)
  expect((await callApi(product.app, second, 'GET', '/api/admin/users/')).statusCode).toBe(200)
  await expect(karvon(['create-admin', 'second'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The username second is taken'),
  })

  const resetRun = karvon(['reset-password', 'second', '--stdin'])
  resetRun.child.stdin?.end('a new-password\n')
  expect((await resetRun).stdout).toBe('Person second\n')
  await expect
    .poll(async () => (await callApi(product.app, second, 'GET', '/api/admin/users/')).statusCode)
    .toBe(401)
  await signIn(product.app, 'second', 'a new-password')
  await expect(signIn(product.app, 'second', password)).rejects.toThrow('401')
  const guardedSession = await signIn(product.app, 'second', 'a new-password')
  await turnOnSecondFactor(product.app, guardedSession, 'a new-password')
  const reset = await karvon(['reset-password', 'second'])
  const anew = reset.stdout.trim().split(' ').at(-1) ?? ''
  await expect(signIn(product.app, 'second', anew)).rejects.toThrow('second_factor_required')
  const off = await karvon(['reset-password', '--second-factor-off', 'second'])
  await signIn(product.app, 'second', off.stdout.trim().split(' ').at(-1) ?? '')
  for (const [args, code] of [
    [['create-admin', 'third', '--second-factor-off'], 2],
    [['reset-password', 'nobody'], 1],
    [['reset-password'], 2],
    [['create-admin', 'a', 'b'], 2],
    [['create-admin', '--help'], 2],
    [['backup', '--help'], 2],
  ] as const)
    await expect(karvon([...args])).rejects.toMatchObject({ code })
})

test('a command whose result cannot be written says that it is done, and fails', slow, async () => {
  const lostRun = karvon(['create-admin', 'lost'])
  lostRun.child.stdout?.destroy()
  await expect(lostRun).rejects.toMatchObject({
    code: 1,
    stderr: 'create-admin is done, but its result could not be written: write EPIPE\n',
  })
})

test('every command that sets a password refuses a weak one and changes nothing', slow, async () => {
  const people = () => product.deps.db.selectFrom('users').selectAll().orderBy('id').execute()
  const admin = await signInAdmin(product.app)
  const zulfiya = await createUser(product.app, admin, 'zulfiya')
  await product.deps.pool.query(`update users set email = 'desk.boss@example.uz' where username = 'zulfiya'`)
  const before = await people()
  for (const [command, username, password, rule] of [
    ['create-admin', 'third', 'short', 'must have at least 8 characters'],
    ['create-admin', 'barnogul', 'Barnogul-1990', 'is the name of its owner'],
    ['reset-password', 'zulfiya', 'password1', 'is one of the most common'],
    ['reset-password', 'zulfiya', 'zulfiya1990', 'is the name of its owner'],
    ['reset-password', 'zulfiya', 'desk.boss1', 'is the name of its owner'],
    ['reset-password', 'zulfiya', 'uzun parol 41'.repeat(20), 'must have at most 256 characters'],
  ] as const) {
    const refusedRun = karvon([command, username, '--stdin'])
    refusedRun.child.stdin?.end(`${password}\n`)
    await expect(refusedRun, password).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${command} failed: The password ${rule}. Nothing was changed. Choose another one, or leave --stdin out to have one made.\n`,
    })
  }
  expect(await people()).toEqual(before)
  expect((await callApi(product.app, zulfiya, 'GET', '/parcel/auth/me')).statusCode).toBe(200)
})

test('a command without the settings of the installation creates no database and no key', slow, async () => {
  const emptyFolder = await mkdtemp(join(folder, 'empty-'))
  await expect(karvon(['rotate-key'], { DATABASE_URL: '', KARVON_DATA: emptyFolder })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `DATABASE_URL is not set, and KARVON_DATA (${emptyFolder}) has no database`,
    ),
  })
  expect(await readdir(emptyFolder)).toEqual([])
})

test('a failed command names the cause', slow, async () => {
  const bucket = { KARVON_FILES: 's3://karvon-files', AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }
  const credentials = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
  await expect(karvon(['move-files'], { ...bucket, ...credentials })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^move-files failed: The store of .* \(connect ECONNREFUSED 127.0.0.1:1\)\n$/,
    ),
  })
})

test('an unknown command prints the known ones and exits with 2', slow, async () => {
  await expect(karvon(['rotate'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('rotate-key'),
  })
})
