import { randomUUID } from 'node:crypto'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildPdf } from '../../../test/archives.ts'
import { sendFile } from '../../../test/files.ts'
import { createUser, readId } from '../../../test/people.ts'
import { createSample, sampleBody, type Row } from '../../../test/sample.ts'
import { idempotencyRetentionJob } from './idempotency.queries.ts'

let product: Product
let admin: Session
let otherSession: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  const role = await readId(product.app, admin, '/api/admin/roles/?code=admin')
  otherSession = await createUser(product.app, admin, 'other', role)
})
afterAll(() => product.close())

const findResource = (name: string) => resources.find((resource) => resource.name === name) as Resource
const offers = findResource('offers')
const post = (url: string, payload: object, key: string, as = admin) =>
  product.app.inject({ method: 'POST', url, payload, headers: { ...as.headers, 'idempotency-key': key } })
const upload = (key: string, name = 'a.pdf', as = admin) =>
  sendFile(
    product.app,
    as,
    '/api/parcel/files/upload/',
    { name, content: buildPdf() },
    {},
    { 'idempotency-key': key },
  )
const query = async <R>(text: string, values: unknown[] = []) =>
  (await product.deps.pool.query<R & Record<string, unknown>>(text, values)).rows
const count = async (table: string) =>
  (await query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n ?? 0
/** Sets the state after a request that was killed after its change and before its answer. */
const interruptRequest = (remainingTime: string) =>
  query(
    `update idempotency_keys set answer = null, status = null, leased_until = now() + interval '${remainingTime}'`,
  )

test('twenty simultaneous requests with one key make one row and get the same answer', async () => {
  const body = await sampleBody(product.app, admin, offers)
  const before = await count('offers')
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(`${offers.path}/`, body, key)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 201))
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length).toBe(19)
  expect(await count('offers')).toBe(before + 1)
})

test('twenty simultaneous uploads with one key store one file, and the others get in_progress', async () => {
  const [rows, audits] = [await count('uploads'), await count('audit_log')]
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(key)))
  expect(await count('uploads')).toBe(rows + 1)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
    // Or the answer that too many run at once, before the key is read.
    expect(answer.json<{ code: string }>().code).toBeOneOf(['in_progress', 'person_tasks_busy'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
  const doneAnswer = answers.find(({ statusCode }) => statusCode === 200)
  const again = await upload(key)
  expect([again.statusCode, again.body]).toEqual([200, doneAnswer?.body])
  expect([await count('uploads'), await count('audit_log')]).toEqual([rows + 1, audits])
})

test('a key is valid only for its person, method and address', async () => {
  const key = 'the same'
  const sample = await createSample(product.app, admin, offers)
  const body = await sampleBody(product.app, admin, offers)
  const ids = [
    await post(`${offers.path}/`, body, key),
    await post(`${offers.path}/`, body, key, otherSession),
    await post(`${offers.path}/${sample.id}`, body, key),
  ].map((answer) => {
    expect(answer.headers['idempotency-replayed']).toBeUndefined()
    return answer.json<Row>().id
  })
  expect(new Set(ids).size).toBe(3)
  const slash = await post(offers.path, body, key)
  expect([slash.headers['idempotency-replayed'], slash.json<Row>().id]).toEqual(['true', ids[0]])
})

test('a failed request does not use up its key', async () => {
  const key = randomUUID()
  const body = await sampleBody(product.app, admin, offers)
  expect((await post(`${offers.path}/`, { ...body, price: 'much' }, key)).statusCode).toBe(422)
  expect((await post(`${offers.path}/`, { ...body, source_id: 999_999 }, key)).statusCode).toBe(422)
  expect((await upload(key, 'a.exe')).statusCode).toBe(415)
  expect((await post(`${offers.path}/`, body, key)).statusCode).toBe(201)
  expect((await upload(key)).statusCode).toBe(200)
})

test('an invalid key is refused with 422', async () => {
  const body = await sampleBody(product.app, admin, offers)
  const before = await count('offers')
  for (const key of ['', 'x'.repeat(256), 'ключ', 'tab\there']) {
    const answer = await post(`${offers.path}/`, body, key)
    expect([answer.statusCode, answer.json<{ errors: { field: string }[] }>().errors[0]?.field], key).toEqual(
      [422, 'idempotency-key'],
    )
  }
  expect(await count('offers')).toBe(before)
  expect((await post(`${offers.path}/`, body, 'x'.repeat(255))).statusCode).toBe(201)
})

test('the table of keys contains no key, no request and no unencrypted answer', async () => {
  const credentials = findResource('source-credentials')
  const sample = await sampleBody(product.app, admin, credentials)
  const body = { ...sample, api_key: 'short-secret' }
  const answer = await post(`${credentials.path}/`, body, 'my own key')
  expect(answer.json<Row>().api_key).toBe('sho…')
  const [row] = await query<{ all: string }>(
    'select t::text as all from idempotency_keys t order by id desc limit 1',
  )
  for (const text of ['short-secret', 'my own key', String(sample.name)])
    for (const spelledText of [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64')])
      expect(row?.all).not.toContain(spelledText)
})

test('a repeat during the first request gets in_progress, and one with a lost answer already_done', async () => {
  const key = randomUUID()
  const sample = await createSample(product.app, admin, offers)
  const body = await sampleBody(product.app, admin, offers)
  const again = () => post(`${offers.path}/${sample.id}`, body, key)
  expect((await again()).statusCode).toBe(200)
  await interruptRequest('30 s')
  expect((await again()).json()).toMatchObject({ code: 'in_progress' })
  await interruptRequest('-1 s')
  const audits = await count('audit_log')
  const answer = await again()
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'already_done'])
  expect(await count('audit_log')).toBe(audits)
})

test('a repeat of an interrupted upload completes it with one row and one message', async () => {
  const key = randomUUID()
  const first = await upload(key)
  const before = await count('uploads')
  await interruptRequest('30 s')
  expect((await upload(key)).json()).toMatchObject({ code: 'in_progress' })
  await interruptRequest('-1 s')
  await query(`update uploads set status = 'sent', attempts = 1 where id = $1`, [first.json<Row>().id])
  const again = await upload(key)
  expect(again.json<Row>().id).toBe(first.json<Row>().id)
  expect(await count('uploads')).toBe(before)
  const last = await upload(key)
  expect([last.body, last.headers['idempotency-replayed']]).toEqual([again.body, 'true'])
})

test('a repeat of an interrupted import runs it again under the same progress key', async () => {
  const source = await createSample(product.app, admin, findResource('cpa-sources'))
  const fields = { source_id: String(source.id), key: randomUUID() }
  const content = 'external_id,created_at,status,payout\nonce,2026-11-20,sold,10'
  const key = { 'idempotency-key': randomUUID() }
  const run = () =>
    sendFile(product.app, admin, '/api/admin/leads/import/', { name: 'a.csv', content }, fields, key)
  expect((await run()).json()).toMatchObject({ imported: 1 })
  await interruptRequest('-1 s')
  expect((await run()).json()).toMatchObject({ imported: 0, unchanged: 1 })
  const repeatAnswer = await run()
  expect([repeatAnswer.json(), repeatAnswer.headers['idempotency-replayed']]).toMatchObject([
    { unchanged: 1 },
    'true',
  ])
})

test('keys are kept for a day', async () => {
  const key = randomUUID()
  const body = await sampleBody(product.app, admin, offers)
  const first = await post(`${offers.path}/`, body, key)
  const run = async (age: string) => {
    await query(`update idempotency_keys set created_at = now() - interval '${age}'`)
    await idempotencyRetentionJob(product.deps.db).run(new AbortController().signal)
    return post(`${offers.path}/`, body, key)
  }
  expect((await run('23 hours 59 minutes')).body).toBe(first.body)
  const later = await run('24 hours 1 minute')
  expect(later.statusCode).toBe(201)
  expect(later.json<Row>().id).not.toBe(first.json<Row>().id)
})

test('a deactivated person is refused before the key is read', async () => {
  const key = randomUUID()
  const body = await sampleBody(product.app, admin, offers)
  expect((await post(`${offers.path}/`, body, key, otherSession)).statusCode).toBe(201)
  const id = await readId(product.app, admin, '/api/admin/users/?username=other')
  await callApi(product.app, admin, 'PUT', `/api/admin/users/${id}/deactivate`)
  expect((await post(`${offers.path}/`, body, key, otherSession)).statusCode).toBe(401)
})
