import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { resources } from '@karvon/contract/registry.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, testKey, type Product, type Session } from '../../test/app.ts'
import { createTestDatabase, TEST_TIMEZONE } from '../../test/database.ts'
import { createUser } from '../../test/people.ts'
import { createSample } from '../../test/sample.ts'
import { turnOnSecondFactor } from '../../test/second-factor.ts'
import { processEnv } from '../../test/process-env.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openDeps, openLog } from '../deps.ts'
import { ingestLeads } from '../domains/leads/leads.ingest.ts'
import type { Manifest } from './backup.manifest.ts'
import { listTablesInOrder } from './backup.tables.ts'

const run = promisify(execFile)
const command = join(import.meta.dirname, '..', 'cli.ts')
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

let product: Product
let folder: string
let guardedSession: Session
let factor: Awaited<ReturnType<typeof turnOnSecondFactor>>
const slow = { timeout: 600_000 }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karvon-backup-'))
  product = await createTestApp({ KARVON_DATA: join(folder, 'data') })
  const { app, deps } = product
  const admin = await signInAdmin(app)
  for (const resource of resources) await createSample(app, admin, resource)
  guardedSession = await createUser(app, admin, 'guarded')
  factor = await turnOnSecondFactor(app, guardedSession, 'guarded-password')
  const lead = {
    source_status: 'sold',
    payout: '12000.50',
    currency: 'UZS',
    offer: 'Соат',
    offer_extra_id: null,
  }
  const leadValues = { stream: 'Оқим', stream_extra_id: null, updated_at: null, comment: 'tab\tand\\line\n' }
  const { rows } = await deps.pool.query<{ id: number }>('select min(id) as id from cpa_sources')
  const created_at = '2026-11-20T10:00:00+05:00'
  const leads = ['A-1', 'A-2'].map((external_id) => ({ ...lead, ...leadValues, external_id, created_at }))
  await ingestLeads(deps.db, { sourceId: rows[0]?.id ?? 0, leads, origin: 'file' })
  // In the first partition, in one of the next months, and in the last partition.
  await deps.pool.query(`insert into postbacks (at, method, params, outcome)
    select now() + n * interval '1 month', 'GET', '{}', 'created' from unnest(array[-1, 2, 24]) n`)
  const form = new FormData()
  form.set('file', new File([pdf], 'Буюртма.pdf', { type: 'application/pdf' }))
  const upload = new Request('http://x/', { method: 'POST', body: form })
  await app.inject({
    method: 'POST',
    url: '/api/parcel/files/upload/',
    headers: { ...admin.headers, 'content-type': upload.headers.get('content-type') ?? '' },
    payload: Buffer.from(await upload.arrayBuffer()),
  })
})

afterAll(async () => {
  await product.close()
  await rm(folder, { recursive: true, force: true })
})

const karvon = (args: string[], env: Record<string, string>) =>
  run(process.execPath, [command, ...args], {
    env: { ...processEnv, KARVON_TIMEZONE: TEST_TIMEZONE, ...env },
  })
const backup = (to: string) =>
  karvon(['backup', to], { DATABASE_URL: product.databaseUrl, KARVON_DATA: product.deps.config.dataFolder })

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A checksum of each table's rows. */
function contentOf(url: string): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const sums: Record<string, string> = {}
    for (const { name } of await listTablesInOrder(client)) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from "${name}" t`,
      )
      sums[name] = rows[0]?.sum ?? ''
    }
    return sums
  })
}

/** Which of the largest tables have pages, all of them visible to an index-only scan. */
function findVisibleTables(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname::text as name from pg_class
       where oid in ('leads'::regclass, 'lead_history'::regclass) and relpages > 0 and relallvisible = relpages
       order by relname desc`,
    )
    return rows.map(({ name }) => name)
  })
}

/** All indexes, constraints and triggers, with whether they are valid and on. PostgreSQL names the indexes of partitions. */
function schemaOf(url: string): Promise<unknown[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<unknown[]>({
      text: `select case when indexrelid in (select inhrelid from pg_inherits)
            then regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\w+ ', 'INDEX ') else pg_get_indexdef(indexrelid) end,
            indisvalid::text from pg_index
          where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
        union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), convalidated::text
          from pg_constraint where connamespace = 'public'::regnamespace
        union all select tgrelid::regclass || ' ' || tgname, tgenabled::text from pg_trigger where not tgisinternal
        order by 1`,
      rowMode: 'array',
    })
    return rows
  })
}

describe('Backups', () => {
  test(
    'a restored backup has every row and file, its secrets decrypt, its figures are equal, and it works',
    slow,
    async () => {
      const to = join(folder, 'whole')
      expect((await backup(to)).stdout).toMatch(/\d+ rows of \d+ tables and 1 files are in/)
      const before = await contentOf(product.databaseUrl)
      const otherDatabase = await createTestDatabase()
      const data = join(folder, 'restored')
      const env = { DATABASE_URL: otherDatabase.url, KARVON_DATA: data }
      expect((await karvon(['restore', to], env)).stdout).toContain('are restored.')
      expect(await contentOf(otherDatabase.url)).toEqual(before)
      expect(await findVisibleTables(otherDatabase.url)).toEqual(['leads', 'lead_history'])
      const schema = await schemaOf(otherDatabase.url)
      expect(schema.length).toBeGreaterThan(200)
      expect(schema).toEqual(await schemaOf(product.databaseUrl))

      const config = readConfig({ KARVON_DATA: data, KARVON_TIMEZONE: TEST_TIMEZONE, KARVON_LOG: 'silent' })
      const deps = await openDeps(config, {
        url: otherDatabase.url,
        ring: { keys: [testKey] },
        log: openLog('silent'),
      })
      const app = await buildApp(deps)
      try {
        const admin = await signInAdmin(app)
        for (const path of ['source-credentials/', 'leads/', 'report/daily/?start_date=2026-11-20'])
          expect((await callApi(app, admin, 'GET', `/api/admin/${path}`)).json()).toEqual(
            await fetchJson(`/api/admin/${path}`),
          )
        const { items } = (await callApi(app, admin, 'GET', '/api/admin/uploads/')).json<{
          items: { id: number }[]
        }>()
        const file = await callApi(app, admin, 'GET', `/api/admin/uploads/${items[0]?.id}/file`)
        expect(file.rawPayload).toEqual(pdf)
        for (const code of [factor.authenticator.next(), factor.recovery[0]]) {
          const payload = { username: 'guarded', password: 'guarded-password', code }
          expect((await callApi(app, null, 'POST', '/parcel/auth/login', payload)).statusCode).toBe(200)
        }
        // New ids follow the existing ones, and the triggers work.
        for (const resource of resources) await createSample(app, admin, resource)
        const total = (await callApi(app, admin, 'GET', '/api/admin/offers/')).json<{
          meta: { total: number }
        }>()
        expect(total.meta.total).toBeGreaterThan(Number(before['offers']?.split(' ')[0]))
        const { rows: postbacks } = await deps.pool.query(`insert into postbacks (method, params, outcome)
          values ('GET', '{}', 'created') returning id = 1 + (select max(id) from postbacks) as follows`)
        expect(postbacks).toEqual([{ follows: true }])
      } finally {
        await app.close()
        await deps.close()
        await otherDatabase.drop()
      }
    },
  )

  test(
    'a restore that fails when it builds the indexes leaves the database unchanged, with all its indexes',
    slow,
    async () => {
      const to = join(folder, 'doubled')
      await backup(to)
      const manifestPath = join(to, 'karvon.json')
      const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest
      const offers = manifest.tables.find(({ name }) => name === 'offers')
      if (offers === undefined) throw new Error('The backup has no offers')
      const tablePath = join(to, 'tables', 'offers.copy.gz')
      const rows = gunzipSync(await readFile(tablePath))
      const doubledRows = gzipSync(Buffer.concat([rows, rows]))
      await writeFile(tablePath, doubledRows)
      offers.rows *= 2
      offers.sha256 = createHash('sha256').update(doubledRows).digest('hex')
      await writeFile(manifestPath, JSON.stringify(manifest))
      const otherDatabase = await createTestDatabase()
      const before = [await contentOf(otherDatabase.url), await schemaOf(otherDatabase.url)]
      const env = { DATABASE_URL: otherDatabase.url, KARVON_DATA: join(folder, 'doubled-data') }
      await expect(karvon(['restore', to], env)).rejects.toMatchObject({
        stderr: expect.stringContaining('could not create unique index "offers_'),
      })
      expect([await contentOf(otherDatabase.url), await schemaOf(otherDatabase.url)]).toEqual(before)
      await otherDatabase.drop()
    },
  )

  test(
    'a backup over another, and a restore into a used database or of a damaged backup, are refused',
    slow,
    async () => {
      const to = join(folder, 'harmed')
      await backup(to)
      await expect(backup(to)).rejects.toMatchObject({ stderr: expect.stringContaining('is there already') })
      const inUse = { DATABASE_URL: product.databaseUrl, KARVON_DATA: folder }
      await expect(karvon(['restore', to], inUse)).rejects.toMatchObject({
        stderr: expect.stringContaining('the database is in use'),
      })
      const otherDatabase = await createTestDatabase()
      const env = { DATABASE_URL: otherDatabase.url, KARVON_DATA: join(folder, 'harmed-data') }
      const before = await contentOf(otherDatabase.url)
      await appendFile(join(to, 'tables', 'leads.copy.gz'), 'x')
      await expect(karvon(['restore', to], env)).rejects.toMatchObject({
        stderr: expect.stringContaining('damaged'),
      })
      for (const manifest of ['{}', '{"karvon": 1']) {
        await writeFile(join(to, 'karvon.json'), manifest)
        await expect(karvon(['restore', to], env)).rejects.toMatchObject({
          stderr: expect.stringContaining('is not of a backup'),
        })
      }
      expect(await contentOf(otherDatabase.url)).toEqual(before)
      await otherDatabase.drop()
      expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([])
    },
  )
})

async function fetchJson(path: string): Promise<unknown> {
  const admin = await signInAdmin(product.app)
  return (await callApi(product.app, admin, 'GET', path)).json()
}
