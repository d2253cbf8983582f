import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample, type Row } from '../../../test/sample.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const put = async (id: number, body: object) =>
  (await callApi(product.app, admin, 'PUT', `/api/admin/source-credentials/${id}/`, body)).json<Row>()
const readStored = async (id: number) =>
  product.deps.db.selectFrom('source_credentials').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const open = async (id: number, column: 'pass' | 'api_key' | 'token') =>
  product.deps.encryption.decrypt((await readStored(id))[column] ?? '', {
    table: 'source_credentials',
    row: id,
    column,
  })

const secrets = { pass: 'ёж-пароль', api_key: 'short-key', token: 'тттттттттт-1234567890-abcdefgh' }

test('the secrets of a source credential are stored encrypted and masked in every answer, and the password is never answered', async () => {
  const row = await createSample(product.app, admin, sourceCredentials, secrets)
  expect(row).toMatchObject({ api_key: 'sh…', token: 'тттттттттт-123456789…' })
  expect(row).not.toHaveProperty('pass')
  const storedRow = await readStored(row.id)
  for (const [column, plain] of Object.entries(secrets)) {
    expect(JSON.stringify(storedRow)).not.toContain(plain)
    expect(await open(row.id, column as keyof typeof secrets)).toBe(plain)
  }
  for (const url of ['/api/admin/source-credentials/', `/api/admin/source-credentials/${row.id}`]) {
    const answer = await callApi(product.app, admin, 'GET', url)
    expect(answer.json<{ items: Row[] }>().items).toEqual([row])
    for (const plain of [secrets.pass, secrets.token]) expect(answer.body).not.toContain(plain)
  }
})

test('a secret that equals its mask or is empty stays unchanged', async () => {
  const row = await createSample(product.app, admin, sourceCredentials, secrets)
  const before = await readStored(row.id)
  const after = await put(row.id, { name: 'Other', pass: '', api_key: row.api_key, token: row.token })
  expect(after).toMatchObject({
    name: 'Other',
    api_key: row.api_key,
    token: row.token,
    token_updated_at: row.token_updated_at,
  })
  const { name: _, updated_at: __, ...unchangedValues } = await readStored(row.id)
  expect(before).toMatchObject(unchangedValues)

  const changedRow = await put(row.id, { token: 'новый', pass: 'new pass ' })
  expect(changedRow.token).toBe('н…')
  expect(Date.parse(String(changedRow.token_updated_at))).toBeGreaterThan(
    Date.parse(String(row.token_updated_at)),
  )
  expect([await open(row.id, 'pass'), await open(row.id, 'api_key')]).toEqual(['new pass ', 'short-key'])
})

test('the mask of a stored secret with spaces around it leaves the secret unchanged', async () => {
  const row = await createSample(product.app, admin, sourceCredentials, secrets)
  const location = { table: 'source_credentials', row: row.id, column: 'token' } as const
  const token = product.deps.encryption.encrypt('  of an older version', location)
  await product.deps.db.updateTable('source_credentials').set({ token }).where('id', '=', row.id).execute()
  const { token: mask } = await put(row.id, { name: 'Other' })
  await put(row.id, { token: mask })
  expect(await open(row.id, 'token')).toBe('  of an older version')
})

test('the audit log records that a secret changed, and not its value', async () => {
  const row = await createSample(product.app, admin, sourceCredentials, secrets)
  await put(row.id, { token: 'another-token-entirely', api_key: 'sh…' })
  const log = await product.deps.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource', '=', 'source-credentials')
    .where('row_id', '=', row.id)
    .orderBy('id')
    .execute()
  expect(log[1]).toMatchObject({ action: 'update', old_values: { token: '…' }, new_values: { token: '…' } })
  expect(log[1]?.new_values).not.toHaveProperty('api_key')
  for (const plain of [...Object.values(secrets), 'another-token-entirely'])
    expect(JSON.stringify(log)).not.toContain(plain)
})

test('a source credential whose encryption key is lost is still listed', async () => {
  const row = await createSample(product.app, admin, sourceCredentials, secrets)
  await product.deps.pool.query('update source_credentials set token = $1 where id = $2', [
    'v1.deadbeef.x.y',
    row.id,
  ])
  const answer = await callApi(product.app, admin, 'GET', `/api/admin/source-credentials/${row.id}`)
  expect(answer.json<{ items: Row[] }>().items[0]).toMatchObject({ token: '…', api_key: 'sh…' })
})
