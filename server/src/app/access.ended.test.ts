import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { createRow, createUser, getPassword, readId } from '../../test/people.ts'
import { connectRawClient } from '../../test/raw-client.ts'

// A request may take half an hour to arrive, and an export fifteen minutes to be read.

let product: Product
let admin: Session
let adminRole: number
let userRole: number

beforeAll(async () => {
  product = await createTestApp()
  await product.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await signInAdmin(product.app)
  adminRole = await readId(product.app, admin, '/api/admin/roles/?code=admin')
  userRole = await readId(product.app, admin, '/api/admin/roles/?code=user')
})
afterAll(() => product.close())

/** Longer than the time for which a request needs no session again. */
const waitForLifetime = () => sleep(1100)

/** Sends a request whose body is incomplete, and answers a function that completes it and reads the answer. */
async function beginRequest(
  { token }: Session,
  { method = 'POST', path, type, body }: { method?: string; path: string; type: string; body: string },
): Promise<() => Promise<string>> {
  const half = Math.ceil(body.length / 2)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: karvon',
    `authorization: Bearer ${token}`,
    `content-type: ${type}`,
    `content-length: ${body.length}`,
  ]
  const client = connectRawClient(product.app, `${head.join('\r\n')}\r\n\r\n${body.slice(0, half)}`)
  await waitForLifetime()
  return async () => {
    client.socket.write(body.slice(half))
    await vi.waitUntil(() => client.getReceived().includes('\r\n\r\n'), 30_000)
    client.socket.destroy()
    return client.getReceived()
  }
}

const newPerson = (username: string) =>
  JSON.stringify({
    username,
    name: username,
    email: `${username}@example.uz`,
    password: getPassword(username),
    role_id: adminRole,
  })

const loseAdminRole = async (_session: Session, id: number) => {
  await callApi(product.app, admin, 'PUT', `/api/admin/users/${id}`, { role_id: userRole })
}

test.each([
  ['the loss of the role of admins', loseAdminRole, 403],
  [
    'a sign-out',
    async (session: Session) => {
      await callApi(product.app, session, 'POST', '/parcel/auth/logout')
    },
    401,
  ],
  [
    'the deactivation of its person',
    async (_session: Session, id: number) => {
      await callApi(product.app, admin, 'PUT', `/api/admin/users/${id}/deactivate`)
    },
    401,
  ],
])('a change whose body arrives after %s is refused', async (name, end, status) => {
  const username = name.replaceAll(' ', '-')
  const session = await createUser(product.app, admin, username, adminRole)
  const id = await readId(product.app, admin, `/api/admin/users/?username=${username}`)
  const json = { path: '/api/admin/users', type: 'application/json' }
  const finishBefore = await beginRequest(session, { ...json, body: newPerson(`${username}-before`) })
  expect(await finishBefore()).toContain(' 201 ')
  const finish = await beginRequest(session, { ...json, body: newPerson(`${username}-after`) })
  await end(session, id)
  const answer = await finish()
  expect(answer).toContain(` ${status} `)
  if (status === 401) expect(answer.toLowerCase()).toContain('www-authenticate: bearer')
  const { rows } = await product.deps.pool.query<{ username: string }>(
    `select username from users where username like $1`,
    [`${username}-%`],
  )
  expect(rows).toEqual([{ username: `${username}-before` }])
})

test('a file that arrives after the end of its session is refused, and nothing of it is stored', async () => {
  const session = await createUser(product.app, admin, 'importer', adminRole)
  const source = await createRow(product.app, admin, '/api/admin/cpa-sources/', {
    name: 'Network',
    url: 'https://network.example',
  })
  const part = (head: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
  const begin = (lead: number) =>
    beginRequest(session, {
      path: '/api/admin/leads/import',
      type: 'multipart/form-data; boundary=b',
      body: [
        part('name="source_id"', String(source)),
        part(
          'name="file"; filename="leads.csv"\r\nContent-Type: application/octet-stream',
          `external_id,created_at,status,payout,stream\r\n${lead},2026-11-01,sold,7,Reels`,
        ),
        '--b--\r\n',
      ].join(''),
    })
  const finishBefore = await begin(1)
  expect(await finishBefore()).toContain(' 200 ')
  const finish = await begin(2)
  await callApi(product.app, session, 'POST', '/parcel/auth/logout')
  expect(await finish()).toContain(' 401 ')
  const { rows } = await product.deps.pool.query('select external_id from leads')
  expect(rows).toEqual([{ external_id: '1' }])
})

test.each([
  ['its session ends', (session: Session) => callApi(product.app, session, 'POST', '/parcel/auth/logout')],
  ['its person loses the role of admins', loseAdminRole],
])('an export is broken off when %s', async (name, end) => {
  const username = name.replaceAll(' ', '-')
  const session = await createUser(product.app, admin, username, adminRole)
  const id = await readId(product.app, admin, `/api/admin/users/?username=${username}`)
  await product.deps.pool.query(
    `insert into audit_log (action, resource, new_values)
     select 'update', 'offers', jsonb_build_object('description', repeat('x', 1000)) from generate_series(1, 60000)`,
  )
  const request = `GET /api/admin/audit?format=csv HTTP/1.1\r\nhost: karvon\r\nauthorization: Bearer ${session.token}\r\n\r\n`
  const client = connectRawClient(product.app, request, true)
  const reading = `select from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and query like 'fetch % from export_rows'`
  await expect.poll(async () => (await product.deps.pool.query(reading)).rowCount).toBe(1)
  await waitForLifetime()
  await end(session, id)
  let received = ''
  client.socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  await vi.waitUntil(() => client.isClosed(), 30_000)
  expect(received).toContain(' 200 ')
  expect(received.split('\r\n').length).toBeLessThan(60_000)
  expect(received.endsWith('0\r\n\r\n')).toBe(false)
  const { pool } = product.deps
  await vi.waitUntil(() => pool.idleCount === pool.totalCount, 30_000)
})
