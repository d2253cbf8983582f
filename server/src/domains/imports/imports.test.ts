import { randomUUID } from 'node:crypto'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { ImportProgress } from '@karvon/contract/imports/imports.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { createUser } from '../../../test/people.ts'
import { createSample } from '../../../test/sample.ts'
import { matchHeaders } from '../../platform/spreadsheets/spreadsheets.headers.ts'
import { historyHeadings, orderHeadings } from '../parcels/parcels.headings.ts'
import { interruptedImportsJob } from './imports.jobs.ts'

let product: Product
let admin: Session
let person: Session
let source: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  person = await createUser(product.app, admin, 'gulnora')
  source = (await createSample(product.app, admin, cpaSources)).id
})
afterAll(() => product.close())

const heading = 'external_id,created_at,status,payout\r\n'
const leadLine = (id: string) => `${id},2026-11-20T10:00:00+05:00,sold,12.50\r\n`
const sendLeads = (content: string, key: string, name = 'лиды.csv', headers = {}) =>
  sendFile(
    product.app,
    admin,
    '/api/admin/leads/import/',
    { name, content },
    { source_id: String(source), key },
    headers,
  )
/** Makes the imports of a file look as after the end of their process. */
const stopImport = (file: string, age: string) =>
  product.deps.pool.query(
    `update imports set status = 'running', finished_at = null, heartbeat_at = now() - $2::interval where file = $1`,
    [file, age],
  )
const progress = (key: string) => callApi(product.app, admin, 'GET', `/api/admin/imports/${key}/`)

describe('Import progress', () => {
  test('the progress of an import is 404 before the file arrives, and ends with the counts of the answer', async () => {
    const key = randomUUID()
    expect((await progress(key)).statusCode).toBe(404)
    const content = `${heading}${leadLine('p-1')}${leadLine('p-2')}p-3,never,sold,1\r\n`
    const answer = await sendLeads(content, key)
    expect(answer.json()).toEqual({
      imported: 2,
      updated: 0,
      unchanged: 0,
      skipped: 1,
      errors: [
        {
          row: 3,
          field: 'created_at',
          message: expect.stringContaining('created_at'),
          code: 'not_a_time',
          params: { label: 'created_at' },
        },
      ],
    })
    const size = Buffer.byteLength(content)
    expect((await progress(key)).json()).toEqual({
      key,
      kind: 'leads',
      file: 'лиды.csv',
      status: 'done',
      size,
      bytes_read: size,
      imported: 2,
      updated: 0,
      unchanged: 0,
      skipped: 1,
      error: null,
      started_at: expect.stringMatching(/\+05:00$/),
      finished_at: expect.stringMatching(/\+05:00$/),
    })
  })

  test('the progress of an import grows while its rows are stored', async () => {
    const key = randomUUID()
    const content = heading + Array.from({ length: 30_000 }, (_, n) => leadLine(`g-${n}`)).join('')
    const importRequest = sendLeads(content, key)
    const progresses: ImportProgress[] = []
    await vi.waitFor(
      async () => {
        const answer = await progress(key)
        if (answer.statusCode === 200) progresses.push(answer.json<ImportProgress>())
        expect(progresses.at(-1)?.status).toBe('done')
      },
      { timeout: 300_000, interval: 100 },
    )
    expect((await importRequest).json()).toMatchObject({ imported: 30_000 })
    const running = progresses.filter(({ status, imported }) => status === 'running' && imported > 0)
    expect(running.length).toBeGreaterThan(0)
    for (const runningProgress of running) {
      expect(runningProgress.imported).toBeLessThan(30_000)
      // Only few rows are read and not imported yet.
      expect(runningProgress.bytes_read / runningProgress.size).toBeLessThan(
        runningProgress.imported / 30_000 + 0.2,
      )
      expect(runningProgress.bytes_read / runningProgress.size).toBeGreaterThan(
        runningProgress.imported / 30_000 - 0.2,
      )
      expect(runningProgress.finished_at).toBeNull()
    }
    expect(progresses.map(({ imported }) => imported)).toEqual(
      progresses.map(({ imported }) => imported).toSorted((a, b) => a - b),
    )
  })

  test('the progress of a failed import has the reason and the rows stored so far', async () => {
    const key = randomUUID()
    const answer = await sendLeads(`${heading}${leadLine('f-1')}f-2,"broken`, key)
    expect(answer.statusCode).toBe(422)
    expect((await progress(key)).json()).toMatchObject({
      status: 'failed',
      error: answer.json<{ detail: string }>().detail,
      finished_at: expect.any(String),
    })
  })

  test('a failed import that stored rows has an audit entry, and one that stored none has no entry', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => leadLine(`a-${n}`)).join('')
    const failed = await sendLeads(`${heading}${rows}a-last,"broken`, randomUUID(), 'half.csv')
    expect(failed.statusCode).toBe(422)
    expect((await sendLeads(`${heading}"broken`, randomUUID(), 'empty.csv')).statusCode).toBe(422)
    const log = await callApi(product.app, admin, 'GET', '/api/admin/audit/?action=import&limit=100')
    const entries = log.json<{ items: { new_values: { file: string; imported: number } }[] }>().items
    const [half, ...otherEntries] = entries
      .map(({ new_values: values }) => values)
      .filter(({ file }) => file !== 'лиды.csv')
    expect(otherEntries).toEqual([])
    expect(half).toMatchObject({ file: 'half.csv', error: failed.json<{ detail: string }>().detail })
    const { rows: stored } = await product.deps.pool.query<{ count: number }>(
      `select count(*)::integer as count from leads where external_id like 'a-%'`,
    )
    expect(half?.imported).toBe(stored[0]?.count)
    expect(half?.imported).toBeGreaterThan(0)
  })

  test('an import whose process died shows as failed after a minute', async () => {
    const key = randomUUID()
    await sendLeads(heading + leadLine('d-1'), key)
    const stale = (age: string) =>
      product.deps.pool.query(
        `update imports set status = 'running', finished_at = null, heartbeat_at = now() - $2::interval where key = $1`,
        [key, age],
      )
    await stale('50 seconds')
    expect((await progress(key)).json()).toMatchObject({ status: 'running', error: null, finished_at: null })
    await stale('61 seconds')
    expect((await progress(key)).json()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('interrupted'),
      finished_at: expect.any(String),
    })
  })

  test('an import whose process died gets its audit entry once, also if the client repeats it before', async () => {
    const [job, died, repeated] = [interruptedImportsJob(product.deps), 'died.csv', 'repeated.csv']
    const runJob = () => job.run(new AbortController().signal)
    const readErrors = async (file: string) => {
      const log = await callApi(product.app, admin, 'GET', '/api/admin/audit/?action=import&limit=100')
      const { items } = log.json<{ items: { new_values: { file: string; error?: string } }[] }>()
      return items.flatMap(({ new_values: values }) => (values.file === file && values.error ? [values] : []))
    }
    const interrupted = {
      source_id: source,
      imported: 1,
      skipped: 0,
      error: expect.stringContaining('interrupted'),
    }
    await sendLeads(heading + leadLine('j-1'), '', died)
    await stopImport(died, '61 seconds')
    await runJob()
    await runJob()
    expect(await readErrors(died)).toMatchObject([interrupted])
    const key = randomUUID()
    const headers = { 'idempotency-key': randomUUID() }
    await sendLeads(heading + leadLine('j-2'), key, repeated, headers)
    await stopImport(repeated, '11 seconds')
    await product.deps.pool.query(
      `update idempotency_keys set answer = null, status = null, leased_until = now() - interval '1 second'`,
    )
    expect((await sendLeads(heading + leadLine('j-2'), key, repeated, headers)).json()).toMatchObject({
      unchanged: 1,
    })
    await runJob()
    expect(await readErrors(repeated)).toMatchObject([interrupted])
  })

  test('an import key must be a UUID and new, and an import without a key gets one', async () => {
    const key = randomUUID()
    await sendLeads(heading, key)
    expect((await sendLeads(heading, key.toUpperCase())).statusCode).toBe(409)
    expect((await sendLeads(heading, 'mine')).json()).toMatchObject({ errors: [{ field: 'key' }] })
    const count = async () => (await product.deps.pool.query('select 1 from imports')).rowCount
    const before = await count()
    expect((await sendLeads(heading + leadLine('k-1'), '')).statusCode).toBe(200)
    expect(await count()).toBe((before ?? 0) + 1)
  })

  test('the progress of imports older than 30 days is deleted by the next import', async () => {
    const key = randomUUID()
    await sendLeads(heading, key)
    await product.deps.pool.query(
      `update imports set started_at = now() - interval '31 days' where key = $1`,
      [key],
    )
    await sendLeads(heading, randomUUID())
    expect((await progress(key)).statusCode).toBe(404)
  })
})

const download = async (as: Session, url: string) => {
  const answer = await callApi(product.app, as, 'GET', url)
  expect(answer.statusCode, answer.body).toBe(200)
  const [, name = ''] = /filename="([^"]+)"/.exec(String(answer.headers['content-disposition'])) ?? []
  return { name, content: answer.rawPayload }
}

describe('Templates', () => {
  test.each(['', '?format=xlsx', '?format=csv'])(
    'the template of leads can be imported%s',
    async (format) => {
      const target = (await createSample(product.app, admin, cpaSources)).id
      const file = await download(admin, `/api/admin/leads/template/${format}`)
      expect(file.name).toBe(format.includes('csv') ? 'leads-template.csv' : 'leads-template.xlsx')
      const answer = await sendFile(product.app, admin, '/api/admin/leads/import/', file, {
        source_id: String(target),
      })
      expect(answer.json()).toEqual({ imported: 2, updated: 0, unchanged: 0, skipped: 0, errors: [] })
      const list = await callApi(
        product.app,
        admin,
        'GET',
        `/api/admin/leads/?source_id=${target}&sort=external_id`,
      )
      expect(list.json()).toMatchObject({
        items: [
          { external_id: '1001', payout: 45_000, offer: { name: 'Чайник электрический' } },
          { external_id: '1002', payout: 52_500.5, offer: { name: 'Yostiq "Humo"' } },
        ],
      })
    },
  )

  test('the template of parcels can be imported twice and names every column', async () => {
    for (const [format, counts] of [
      ['csv', { imported: 2, unchanged: 0 }],
      ['xlsx', { imported: 0, unchanged: 2 }],
    ] as const) {
      const file = await download(admin, `/api/admin/parcels/template/?format=${format}`)
      const answer = await sendFile(product.app, admin, '/api/admin/parcels/import/', file)
      expect(answer.json()).toEqual({ updated: 0, skipped: 0, errors: [], ...counts })
    }
    const csv = (await download(admin, '/api/admin/parcels/template/?format=csv')).content.toString()
    const columns = matchHeaders((csv.split('\r\n')[0] ?? '').slice(1).split(','), historyHeadings)
    expect([...columns.keys()].toSorted()).toEqual(Object.keys(historyHeadings).toSorted())
  })

  test('everybody may download the template of orders, and its orders become parcels of the uploader', async () => {
    const file = await download(person, '/api/parcel/files/template/')
    expect(file.name).toBe('orders-template.xlsx')
    const answer = await sendFile(product.app, person, '/api/parcel/files/upload/', file)
    expect(answer.json()).toMatchObject({ imported: 2, skipped: 0, errors: [] })
    const csv = (await download(person, '/api/parcel/files/template/?format=csv')).content.toString()
    expect((csv.split('\r\n')[0] ?? '').slice(1)).toBe(Object.keys(orderHeadings).join(','))
  })

  test('a template in another format answers 422', async () => {
    const answer = await callApi(product.app, admin, 'GET', '/api/admin/leads/template/?format=pdf')
    expect(answer.statusCode).toBe(422)
  })
})
