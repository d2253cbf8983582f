import { rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProduct } from '@karvon/testkit/product.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../test/database.ts'
import { createTemporaryFolder } from '../test/folder.ts'
import { openPool } from './platform/database/pool.ts'

const password = 'a-long-password'
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A request's status and the header `connection` of its answer. */
const request = (agent: Agent, url: string) =>
  new Promise<{ status: number | undefined; connection: string | undefined; retryAfter: string | undefined }>(
    (resolve, reject) =>
      get(url, { agent }, (answer) => {
        answer.resume().once('end', () =>
          resolve({
            status: answer.statusCode,
            connection: answer.headers.connection,
            retryAfter: answer.headers['retry-after'],
          }),
        )
      }).once('error', reject),
  )

test('a process that is stopped answers every request while it drains, and closes the connections', async () => {
  const folder = createTemporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const product = await startProduct(folder, {
    DATABASE_URL: database.url,
    KARVON_PROCESS: 'web',
    KARVON_DRAIN_SECONDS: '5',
    KARVON_ADMIN_PASSWORD: password,
  })
  const { url } = product
  const keepAliveAgent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await request(keepAliveAgent, `${url}/api/app/settings`)).toMatchObject({
    status: 200,
    connection: 'keep-alive',
  })

  const startTime = performance.now()
  const stop = product.stop()
  await expect.poll(() => product.output).toContain('SIGTERM')
  expect(await request(keepAliveAgent, `${url}/api/app/settings`)).toMatchObject({
    status: 200,
    connection: 'close',
  })
  const fresh = new Agent({ keepAlive: false })
  expect(await request(fresh, `${url}/readyz`)).toMatchObject({ status: 503, retryAfter: '2' })
  expect(await request(fresh, `${url}/healthz`)).toMatchObject({ status: 200 })
  while (performance.now() - startTime < 1500) {
    expect(await request(keepAliveAgent, `${url}/api/app/settings`)).toMatchObject({
      status: 200,
      connection: 'close',
    })
    await sleep(20)
  }
  await stop
  expect(product.end).toEqual({ code: 0, signal: null })
  expect(performance.now() - startTime).toBeGreaterThan(5000)
})

test('an export in HTTP/1.0 does not look complete when its process stops at once', async () => {
  const folder = createTemporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const product = await startProduct(folder, {
    DATABASE_URL: database.url,
    KARVON_PROCESS: 'web',
    KARVON_ADMIN_PASSWORD: password,
  })
  const answer = await fetch(`${product.url}/parcel/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const pool = openPool(database.url, { timezone: TEST_TIMEZONE })
  onTestFinished(() => pool.end())
  await pool.query(
    `insert into audit_log (action, resource, new_values)
     select 'update', 'offers', jsonb_build_object('description', repeat('x', 1000)) from generate_series(1, 60000)`,
  )
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
  const end = new Promise<string>((resolve) => {
    socket
      .once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
      .once('end', () => resolve('end'))
  })
  socket.write(`GET /api/admin/audit?format=csv HTTP/1.0\r\nauthorization: Bearer ${token}\r\n\r\n`)
  const text = `select from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and query like 'fetch % from export_rows'`
  await expect.poll(async () => (await pool.query(text)).rowCount).toBe(1)
  process.kill(product.pid, 'SIGTERM')
  await expect.poll(() => product.output).toContain('SIGTERM')
  // A signal within a second is the same Ctrl-C.
  await sleep(1100)
  process.kill(product.pid, 'SIGTERM')
  expect(await product.ended).toEqual({ code: 130, signal: null })
  socket.resume()
  expect(await end).toBe('ECONNRESET')
})
