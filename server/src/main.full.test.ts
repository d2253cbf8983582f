import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeProcess } from '@karvon/testkit/node-process.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'
import { processEnv } from '../test/process-env.ts'
import { createEncryption } from './platform/security/encryption.ts'

const main = join(import.meta.dirname, 'main.ts')
let database: TestDatabase
let folder: string
const processes: NodeProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'karvon-main-'))
})
afterAll(async () => {
  for (const karvon of processes) await karvon.kill()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** The product as `npm start` runs it, on the test's database unless `env` names another. */
function start(env: Record<string, string> = {}): NodeProcess {
  const base = {
    ...processEnv,
    DATABASE_URL: database.url,
    KARVON_DATA: join(folder, 'data'),
    PORT: '0',
    HOST: '127.0.0.1',
  }
  const karvon = new NodeProcess(main, { env: { ...base, ...env } })
  processes.push(karvon)
  return karvon
}

/** What the product prints until it is ready. */
async function waitUntilReady(karvon: NodeProcess): Promise<string> {
  await karvon.waitFor(/Ctrl-C stops it\./)
  return karvon.output
}

/** What a product prints that cannot start. */
async function waitForRefusal(env: Record<string, string>): Promise<string> {
  const karvon = start(env)
  await expect(waitUntilReady(karvon)).rejects.toThrow('ended with 1')
  return karvon.output
}

async function login(url: string, username: string, password: string): Promise<number> {
  const body = new URLSearchParams({ username, password })
  return (await fetch(`${url}/parcel/auth/login`, { method: 'POST', body })).status
}

async function runSql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

test('the first start makes an admin and prints the sign-in, and later starts do not', async () => {
  const first = start()
  const printedText = await waitUntilReady(first)
  const { url } = first
  const migrating = await processorSeconds(first.pid)
  const [, password = ''] = /Password +(\S+)/.exec(printedText) ?? []
  expect(printedText).toContain('Sign in as  admin')
  expect(await login(url, 'admin', password)).toBe(200)
  // Readiness is 503 while a very busy machine does not answer within two seconds.
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
  await first.stop()
  expect(first.end?.code).toBe(0)

  const key = await readFile(join(folder, 'data', 'secret.key'), 'utf8')
  expect((await stat(join(folder, 'data', 'secret.key'))).mode & 0o777).toBe(0o600)
  const second = start({ KARVON_ADMIN_PASSWORD: 'another-password' })
  const printedAgain = await waitUntilReady(second)
  // The first start also migrates the database. Processor time, since a clock's grows with what else the machine
  // does.
  expect(await processorSeconds(second.pid)).toBeLessThanOrEqual(1.2 * migrating)
  expect(printedAgain).toContain('Sign in with the accounts that exist.')
  expect(printedAgain).not.toContain('Password ')
  expect(await login(second.url, 'admin', password)).toBe(200)
  expect(await readFile(join(folder, 'data', 'secret.key'), 'utf8')).toBe(key)
  await second.stop('SIGINT')
  expect(second.end?.code).toBe(0)
})

test('a start whose keys do not decrypt the stored secrets says so', async () => {
  const secret = createEncryption([randomBytes(32)]).encrypt('x', {
    table: 'second_factors',
    row: 1,
    column: 'secret',
  })
  await runSql(`insert into second_factors (id, secret) select id, '${secret}' from users limit 1`)
  const karvon = start()
  const printedText = await waitUntilReady(karvon)
  await karvon.stop()
  await runSql('delete from second_factors')
  expect(printedText).toContain('Stored secrets cannot be decrypted: A secret was encrypted with key')
})

test('a stop finishes the running requests and accepts no new ones', async () => {
  const fixture = start()
  await waitUntilReady(fixture)
  const { url } = fixture
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  const body = new URLSearchParams({ username: 'admin', password: 'wrong' }).toString()
  const type = 'application/x-www-form-urlencoded'
  socket.write(
    `POST /parcel/auth/login HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  const closed = once(socket, 'close')
  // The server has read the head.
  await expect.poll(() => answer).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  answer = ''
  const stop = fixture.stop()
  const readFailure = () =>
    fetch(`${url}/healthz`).then(
      () => 'none',
      (error: Error) => error.message,
    )
  await expect.poll(readFailure).toBe('fetch failed')
  socket.write(body)
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  await stop
  expect(fixture.end?.code).toBe(0)
})

test('a used port, a wrong setting and a missing database are explained', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1')
  await once(otherServer, 'listening')
  const { port } = otherServer.address() as AddressInfo
  const untouchedDatabase = await createTestDatabase({ empty: true })
  const untouched = { DATABASE_URL: untouchedDatabase.url }
  expect(await waitForRefusal({ ...untouched, PORT: String(port) })).toBe(
    `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another: PORT=${port + 1}\n`,
  )
  const busyMetrics = await waitForRefusal({ ...untouched, KARVON_METRICS_PORT: String(port) })
  expect(busyMetrics).toContain(`Port ${port} of KARVON_METRICS_PORT on 127.0.0.1 is in use.`)
  expect(await waitForRefusal({ ...untouched, HOST: 'no-name.invalid' })).toContain(
    'HOST=no-name.invalid is no address',
  )
  otherServer.close()
  const client = new pg.Client({ connectionString: untouchedDatabase.url })
  await client.connect()
  const { rows } = await client.query(`select to_regclass('schema_migrations') as migrations`)
  await client.end()
  expect(rows, 'a start that cannot serve changes nothing').toEqual([{ migrations: null }])
  await untouchedDatabase.drop()

  const wrong = await waitForRefusal({ PORT: 'x', KARVON_PROCESS: 'y' })
  expect(wrong).toMatch(
    /^Karvon cannot start with these settings:\n {2}- KARVON_PROCESS .*\n {2}- PORT .*\n$/,
  )

  const refusalText = await waitForRefusal({
    DATABASE_URL: `postgresql://nobody:hunter2@127.0.0.1:${port}/karvon`,
    KARVON_DATA: join(folder, 'not-created'),
  })
  expect(refusalText).toContain('The database of DATABASE_URL cannot be used: connect ECONNREFUSED')
  expect(refusalText).not.toContain('hunter2')
  expect(refusalText).not.toContain('    at ')
  await expect(stat(join(folder, 'not-created'))).rejects.toThrow('ENOENT')
})

test('a port that is lost during the start is explained after the passwords that nobody could read later', async () => {
  const port = await findFreePort()
  const karvon = start({
    PORT: String(port),
    DATABASE_URL: '',
    KARVON_DATA: join(folder, 'samples'),
    KARVON_DEMO: 'on',
  })
  await karvon.waitFor(/The tables are created/)
  const otherServer = createServer().listen(port, '127.0.0.1')
  await once(otherServer, 'listening')
  await expect(waitUntilReady(karvon)).rejects.toThrow('ended with 1')
  otherServer.close()
  expect(karvon.output).toMatch(/Sign in as {2}admin\n {2}Password {4}\S{16}\n/)
  expect(karvon.output).toMatch(/The sample accounts .*\n {2}aziz +\S{12} {2}Media buyer\n/)
  expect(karvon.output).toContain(`Port ${port} on 127.0.0.1 is in use.`)
}, 240_000)

test('a mistyped setting is logged, and the process starts', async () => {
  expect(await waitUntilReady(start({ KARVON_TIME_ZONE: 'UTC', KARVON_TIMEZONE: 'UTC' }))).toContain(
    'Karvon has no settings with these names: KARVON_TIME_ZONE"',
  )
})

test('a weak KARVON_ADMIN_PASSWORD works, and the start prints what is weak', async () => {
  const untouchedDatabase = await createTestDatabase({ empty: true })
  const karvon = start({
    KARVON_ADMIN_PASSWORD: 'password1',
    KARVON_DATA: join(folder, 'weak'),
    DATABASE_URL: untouchedDatabase.url,
  })
  const printedText = await waitUntilReady(karvon)
  expect(printedText).toContain(
    '(The password is one of the most common. Choose another one on the profile page.)',
  )
  expect(printedText).not.toContain('password1')
  expect(await login(karvon.url, 'admin', 'password1')).toBe(200)
  await karvon.stop()
  await untouchedDatabase.drop()
})

/** Processor time of a process so far, on Linux; a clock tick is a hundredth of a second. */
async function processorSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user = 0, system = 0] = text.split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
  return (user + system) / 100
}
