import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, firstAdmin, signIn, testKey, type Product } from '../test/app.ts'
import { createSample } from '../test/sample.ts'
import { openSeal } from './kit/seal.ts'

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
const command = join(import.meta.dirname, 'main.karvon.ts')

const karvon = (args: string[], env: Record<string, string> = {}) =>
  run(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: product.databaseUrl, KARVON_DATA: folder, ...env },
  })

const base64 = (key: Buffer) => key.toString('base64')

test(
  'a rotation seals every secret with the new key, and each still opens',
  { timeout: 60_000 },
  async () => {
    const admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
    const secrets = { pass: 'тайна', api_key: 'key-1', token: 'token-1' }
    const { id } = await createSample(product.app, admin, sourceCredentials, secrets)
    await createSample(product.app, admin, sourceCredentials, secrets)
    const fresh = randomBytes(32)
    const keys = { KARVON_SECRET_KEY: base64(fresh), KARVON_SECRET_KEY_OLD: base64(testKey) }
    expect((await karvon(['rotate-key'], keys)).stdout).toContain('6 secrets are sealed with the new key.')
    const row = await product.deps.db
      .selectFrom('source_credentials')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const seal = openSeal([fresh])
    for (const [column, plain] of Object.entries(secrets)) {
      const sealed = row[column as keyof typeof secrets] ?? ''
      expect(seal.open(sealed, { table: 'source_credentials', row: id, column })).toBe(plain)
    }
    expect((await karvon(['rotate-key'], keys)).stdout).toContain('0 secrets')
    const lost = karvon(['rotate-key'], { KARVON_SECRET_KEY: base64(randomBytes(32)) })
    await expect(lost).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KARVON_SECRET_KEY_OLD'),
    })
  },
)

test(
  'without a key in the environment a new one is made, and the old one stays until the rotation is finished',
  { timeout: 60_000 },
  async () => {
    const lines = async () => (await readFile(join(folder, 'secret.key'), 'utf8')).trim().split('\n')
    await product.deps.pool.query('delete from source_credentials')
    await karvon(['rotate-key'])
    const [first, old] = await lines()
    expect([first, old]).toEqual([expect.any(String), expect.any(String)])
    await karvon(['rotate-key', '--finish'])
    expect(await lines()).toEqual([first])
  },
)

test('an unknown command says what there is', async () => {
  await expect(karvon(['rotate'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('rotate-key'),
  })
})
