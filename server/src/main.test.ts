import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'

const main = join(import.meta.dirname, 'main.ts')
let database: TestDatabase
let folder: string
const started: ChildProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'karvon-main-'))
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** The product as `npm start` runs it, on the test's database unless `env` says otherwise. */
function start(env: Record<string, string> = {}) {
  const base = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    KARVON_DATA: join(folder, 'data'),
    PORT: '0',
    HOST: '127.0.0.1',
  }
  const child = spawn(process.execPath, [main], {
    env: { ...base, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, printed }))
  return {
    child,
    ended,
    ready: async () => {
      await expect.poll(() => printed, { timeout: 60_000, interval: 20 }).toContain('Ctrl-C stops it.')
      return { printed, url: /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '' }
    },
  }
}

async function login(url: string, username: string, password: string): Promise<number> {
  const body = new URLSearchParams({ username, password })
  return (await fetch(`${url}/parcel/auth/login`, { method: 'POST', body })).status
}

test(
  'the first start makes an admin and shows how to sign in, later ones do not',
  { timeout: 120_000 },
  async () => {
    const first = start()
    const { printed, url } = await first.ready()
    const migrating = await processorSeconds(first.child.pid)
    const [, password = ''] = /Password +(\S+)/.exec(printed) ?? []
    expect(printed).toContain('Sign in as  admin')
    expect(await login(url, 'admin', password)).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })

    const key = await readFile(join(folder, 'data', 'secret.key'), 'utf8')
    expect((await stat(join(folder, 'data', 'secret.key'))).mode & 0o777).toBe(0o600)
    const second = start({ KARVON_ADMIN_PASSWORD: 'another-password' })
    const again = await second.ready()
    // The first start also migrates the database. Processor time, since a clock's grows with what else the machine
    // does.
    expect(await processorSeconds(second.child.pid)).toBeLessThanOrEqual(1.2 * migrating)
    expect(again.printed).toContain('Sign in as set before.')
    expect(again.printed).not.toContain('Password ')
    expect(await login(again.url, 'admin', password)).toBe(200)
    expect(await readFile(join(folder, 'data', 'secret.key'), 'utf8')).toBe(key)
    second.child.kill('SIGINT')
    expect(await second.ended).toMatchObject({ code: 0 })
  },
)

test(
  'requests under way are finished before it ends, and new ones find nobody',
  { timeout: 120_000 },
  async () => {
    const desk = start()
    const { url } = await desk.ready()
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    const body = new URLSearchParams({ username: 'admin', password: 'wrong' }).toString()
    const type = 'application/x-www-form-urlencoded'
    socket.write(
      `POST /parcel/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    await sleep(300)
    desk.child.kill('SIGTERM')
    await sleep(300)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
    socket.write(body)
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(await desk.ended).toMatchObject({ code: 0 })
  },
)

test(
  'a port in use, a wrong setting and a database that is not there are explained',
  { timeout: 120_000 },
  async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const untouched = await createTestDatabase({ empty: true })
    const busy = await start({ PORT: String(port), DATABASE_URL: untouched.url }).ended
    expect(busy.code).toBe(1)
    // The admin is made by then, and only the hash of the password is kept.
    expect(busy.printed).toMatch(/Sign in as {2}admin\n {2}Password {4}\S{16}\n/)
    expect(busy.printed).toContain(
      `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another: PORT=${port + 1}`,
    )
    other.close()
    await untouched.drop()

    const wrong = await start({ PORT: 'x', KARVON_PROCESS: 'y' }).ended
    expect(wrong.code).toBe(1)
    expect(wrong.printed).toMatch(
      /^Karvon cannot start with these settings:\n {2}- PORT .*\n {2}- KARVON_PROCESS .*\n$/,
    )

    const lost = await start({ DATABASE_URL: `postgresql://nobody:hunter2@127.0.0.1:${port}/karvon` }).ended
    expect(lost.code).toBe(1)
    expect(lost.printed).toContain('The database of DATABASE_URL cannot be used: connect ECONNREFUSED')
    expect(lost.printed).not.toContain('hunter2')
    expect(lost.printed).not.toContain('    at ')
  },
)

test('a weak KARVON_ADMIN_PASSWORD works, and the start says what is wrong with it', async () => {
  const untouched = await createTestDatabase({ empty: true })
  const started = start({
    KARVON_ADMIN_PASSWORD: 'password1',
    KARVON_DATA: join(folder, 'weak'),
    DATABASE_URL: untouched.url,
  })
  const { printed, url } = await started.ready()
  expect(printed).toContain(
    '(The password is one of the most common. Choose another one on the profile page.)',
  )
  expect(printed).not.toContain('password1')
  expect(await login(url, 'admin', 'password1')).toBe(200)
  started.child.kill('SIGTERM')
  await started.ended
  await untouched.drop()
})

/** What a process has used so far, where the system tells (Linux); clock ticks there are hundredths. */
async function processorSeconds(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user = 0, system = 0] = text.split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
  return (user + system) / 100
}
