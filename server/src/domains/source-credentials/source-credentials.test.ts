import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('Another account', () => {
  const login = 'first'

  /** A credential with all that a run stores about its account. */
  async function createPausedCredential(isRateLimited: boolean): Promise<Row> {
    const row = await createSample(product.app, admin, sourceCredentials, { login })
    await product.deps.pool.query(
      `insert into sync_states (source_credential_id, balance, money_at, gap_from, gap_to, failures, paused_until,
         pause_reason, is_rate_limited)
       values ($1, 5, now(), now() - interval '2 days', now() - interval '1 day', 4, now() + interval '1 hour', 'Wait', $2)`,
      [row.id, isRateLimited],
    )
    return row
  }

  test.each([
    {
      name: 'the former login',
      body: { login, name: 'Renamed' },
      isRateLimited: false,
      isForgotten: false,
      staysPaused: true,
    },
    {
      name: 'another login',
      body: { login: 'second' },
      isRateLimited: false,
      isForgotten: true,
      staysPaused: false,
    },
    {
      name: 'another login, while the network requires a pause',
      body: { login: 'second' },
      isRateLimited: true,
      isForgotten: true,
      staysPaused: true,
    },
  ])(
    'a credential with $name has the state of its account',
    async ({ body, isRateLimited, isForgotten, staysPaused }) => {
      const row = await createPausedCredential(isRateLimited)
      const { health } = await put(row.id, body)
      expect(health).toMatchObject({
        failures: isForgotten ? 0 : 4,
        gap: isForgotten ? null : { from: expect.any(String) },
        paused_until: staysPaused ? expect.any(String) : null,
      })
      const url = `/api/admin/audit/?resource=source-credentials&row_id=${row.id}&action=update`
      const log = await callApi(product.app, admin, 'GET', url)
      const { old_values } = log.json<{ items: { old_values: Row }[] }>().items[0] ?? {}
      expect(old_values?.['gap_from'] !== undefined).toBe(isForgotten)
    },
  )

  test('a credential with another source has neither the gap nor the pause of the former one', async () => {
    const row = await createPausedCredential(true)
    const source = await createSample(product.app, admin, cpaSources)
    const { health } = await put(row.id, { source_id: source.id })
    expect(health).toMatchObject({ failures: 0, gap: null, paused_until: null, pause_reason: null })
  })
})
