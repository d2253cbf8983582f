import { randomUUID } from 'node:crypto'
import { calls } from '@karvon/contract/registry.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signInAdmin,
  type Product,
  type Session,
} from '../../../test/app.ts'
import { keyedCalls, createRequest, sendKeyed, type KeyedRequest } from '../../../test/keyed-calls.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  // No Telegram server listens there.
  const telegram = { KARVON_TELEGRAM_TOKEN: '1:token', KARVON_TELEGRAM_ROOT: 'http://127.0.0.1:9' }
  product = await createTestApp(telegram)
  admin = await signInAdmin(product.app)
  // Records the transaction of each key.
  await product.deps.pool.query(`
    create table claims (txid text);
    create function note_claim() returns trigger language plpgsql as $$ begin
      insert into claims values (pg_current_xact_id()::xid::text); return new; end $$;
    create trigger note_claim before insert on idempotency_keys for each row execute function note_claim()`)
})
afterAll(() => product.close())

const ownTables = ['idempotency_keys', 'claims', 'read_positions']
const readRows = async <Row>(text: string, values: unknown[] = []) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text, values)).rows

async function listTables(): Promise<string[]> {
  const text = `select c.relname::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all($1)`
  return (await readRows<{ name: string }>(text, [[...ownTables, 'sessions']])).map(({ name }) => name)
}

/** All stored rows, without the keys. */
async function readAllRows(): Promise<string> {
  const selects = (await listTables()).map(
    (name) => `select '${name}' as name, t::text as row from "${name}" t`,
  )
  const text = `select md5(string_agg(name || row, '|' order by name, row)) as all from (${selects.join(' union all ')}) t`
  return (await readRows<{ all: string }>(text))[0]?.all ?? ''
}

/** The number of rows that a transaction wrote. */
async function countRowsOf(txid: string): Promise<number> {
  const selects = (await listTables()).map((name) => `select xmin::text as x from "${name}"`)
  const text = `select count(*)::int as n from (${selects.join(' union all ')}) t where x = $1`
  return (await readRows<{ n: number }>(text, [txid]))[0]?.n ?? 0
}

const readLastClaim = async () =>
  (await readRows<{ txid: string }>('select txid from claims')).at(-1)?.txid ?? ''

/** The same request with another value. */
function changeRequest(request: KeyedRequest): KeyedRequest | null {
  if (request.file !== undefined)
    return { ...request, file: { ...request.file, content: `${request.file.content.toString()}\n ` } }
  const { body, differentBody } = request
  if (differentBody !== undefined) return { ...request, body: differentBody }
  if (body === undefined || Object.keys(body).length === 0) return null
  const [[key, value] = ['', null]] = Object.entries(body)
  const changedValue =
    typeof value === 'string' ? `${value} x` : typeof value === 'boolean' ? !value : [1, 2, 3]
  return { ...request, body: { ...body, [key]: typeof value === 'number' ? value + 1 : changedValue } }
}

describe.each(keyedCalls)('%s by %s', (...keyedEntry) => {
  const [, method, call] = keyedEntry

  test('a repeated request gets the first answer and changes nothing, and another request with the key is refused', async () => {
    const request = await createRequest(product, admin, call)
    const before = await readAllRows()
    const key = randomUUID()
    const first = await sendKeyed(product, admin, keyedEntry, request, key)
    expect(first.statusCode, first.body).toBe(call.status ?? 200)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    const after = await readAllRows()
    expect(after, 'it changes something, or it would prove nothing').not.toBe(before)

    const again = await sendKeyed(product, admin, keyedEntry, request, key)
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect(await readAllRows()).toBe(after)

    const different = changeRequest(request)
    if (different === null) return
    const refusal = await sendKeyed(product, admin, keyedEntry, different, key)
    expect([refusal.statusCode, refusal.json()], refusal.body).toEqual([
      422,
      { code: 'key_reused', detail: expect.stringContaining('another request') as string },
    ])
    expect(await readAllRows()).toBe(after)
  })

  if (call.repeat === 'again') return

  test('the key and the encrypted answer are stored in the transaction of the change', async () => {
    const request = await createRequest(product, admin, call)
    const key = randomUUID()
    const first = await sendKeyed(product, admin, keyedEntry, request, key)
    expect(first.statusCode, first.body).toBe(call.status ?? 200)
    const txid = await readLastClaim()
    expect(
      await countRowsOf(txid),
      `${method} ${call.id} writes before it takes its key, or elsewhere`,
    ).toBeGreaterThan(0)
    const [storedAnswer] = await readRows<{ x: string; answer: string }>(
      'select xmin::text as x, answer from idempotency_keys order by id desc limit 1',
    )
    expect(storedAnswer?.x).toBe(txid)
    expect(storedAnswer?.answer, 'encrypted').toMatch(/^v1\./)
  })
})

test('the calls without a key are listed, and all others declare the header', async () => {
  const unkeyedCalls = calls.filter(
    (call) =>
      [call.method, call.alternateMethod].includes('POST') &&
      !keyedCalls.some(([id, method]) => id === call.id && method === 'POST'),
  )
  // Public calls: a sign-in answers a token, which is not stored; a postback is identified by its lead and
  // status.
  expect(
    unkeyedCalls
      .filter(({ guard }) => guard !== 'public')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(
    [
      'auth.logout',
      'auth.second-factor.begin',
      'auth.second-factor.confirm',
      'auth.second-factor.off',
      'auth.second-factor.recovery-codes',
      'cpa-websites.try',
      'uploads.preview',
    ].toSorted(),
  )
  const { paths } = (await callApi(product.app, admin, 'GET', '/api/openapi.json')).json<{
    paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>
  }>()
  for (const [path, { post }] of Object.entries(paths)) {
    if (post === undefined) continue
    const headerNames = post.parameters
      ?.filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name)
    expect(headerNames, path).toEqual(['Idempotency-Key'])
  }
})

test('a sign-in with a key stores nothing of it', async () => {
  const payload = { username: firstAdmin.username, password: firstAdmin.password }
  const headers = { 'idempotency-key': 'sign in' }
  const before = await readRows('select id from idempotency_keys')
  const sendSignIn = () => product.app.inject({ method: 'POST', url: '/parcel/auth/login', payload, headers })
  const tokens = [await sendSignIn(), await sendSignIn()].map((answer) =>
    answer.json<{ access_token: string }>(),
  )
  expect(new Set(tokens.map(({ access_token }) => access_token)).size).toBe(2)
  expect(await readRows('select id from idempotency_keys')).toEqual(before)
})
