import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Parcel } from '@karvon/contract/parcels/parcels.ts'
import type { Upload, UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { eicar, eicarSignature, startClamd, type FakeClamd } from '@karvon/testkit/fakes/clamd.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildPdf, buildWorkbook } from '../../../test/archives.ts'
import { sendFile } from '../../../test/files.ts'
import { createJobs } from '../../app/jobs.ts'
import { openClamd } from '../../platform/files/clamd.ts'
import { AppError } from '../../platform/http/errors.ts'
import { createUploadsCheck } from './uploads.check.ts'
import { uploadScansJob } from './uploads.job.ts'

// A busy machine is no subject of these tests.
const patientAnswer = 60_000

let clamd: FakeClamd
let telegram: FakeTelegram
let product: Product
let admin: Session

beforeAll(async () => {
  clamd = await startClamd()
  telegram = await startTelegram('1:token')
  const { root } = telegram
  const rate = { interval: 0, perMinute: 1000 }
  product = await createTestApp(
    { KARVON_CLAMAV: clamd.address },
    {
      telegram: { token: '1:token', chat: '-100123', root, rate, answerWithin: 5000 },
      uploadAnswerTimeout: patientAnswer,
    },
  )
  admin = await signInAdmin(product.app)
})

afterAll(async () => {
  await product.close()
  await telegram.close()
  await clamd.stop()
})

beforeEach(async () => {
  clamd.mode = 'ok'
  await product.deps.pool.query('delete from uploads')
})

const infectedFile = Buffer.concat([buildPdf(), Buffer.from(eicar)])
const orders = (orderno: string) =>
  buildWorkbook([
    [1, { A: 'orderno', B: 'person' }],
    [2, { A: orderno, B: 'Aziza' }],
  ])

const send = (name: string, content: Buffer, path = 'upload') =>
  sendFile(product.app, admin, `/api/parcel/files/${path}/`, { name, content })
const download = (id: number) => callApi(product.app, admin, 'GET', `/api/admin/uploads/${id}/file`)
const retry = (id: number) => callApi(product.app, admin, 'POST', `/api/admin/uploads/${id}/retry/`)
const parcelsOf = async (orderno: string) =>
  (await callApi(product.app, admin, 'GET', `/api/parcel/parcels/all?orderno=${orderno}`)).json<
    Page<Parcel>
  >().items
const sentNames = () => telegram.sent.map(({ name }) => name)

async function uploads(): Promise<Upload[]> {
  return (await callApi(product.app, admin, 'GET', '/api/admin/uploads/')).json<Page<Upload>>().items
}

async function storedFiles(): Promise<string[]> {
  const names = await readdir(join(product.deps.config.dataFolder, 'files'), { recursive: true })
  return names.filter((name) => /[\da-f]{64}$/.test(name))
}

/** Makes all waiting uploads due and runs the jobs of uploads once. */
async function runJobs(): Promise<void> {
  await product.deps.pool.query("update uploads set next_at = now() where status in ('scanning', 'queued')")
  for (const name of ['upload-scans', 'uploads']) {
    const job = createJobs(product.deps).find((item) => item.name === name)
    if (job === undefined) throw new Error(`There is no job ${name}`)
    await job.run(new AbortController().signal)
  }
}

/** Uploads a file while clamd is stopped, and starts clamd again. */
async function uploadedWhileAway(name: string, content: Buffer): Promise<UploadAnswer> {
  await clamd.stop()
  try {
    const answer = await send(name, content)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<UploadAnswer>()
  } finally {
    await clamd.listen()
  }
}

test('a clean order file is scanned, read and sent within its request', async () => {
  const file = orders('SCAN-1')
  const answer = await send('clean.xlsx', file)
  expect(answer.json()).toMatchObject({ sent_to_telegram: true, imported: 1 })
  expect(clamd.sizes.at(-1)).toBe(file.length)
  expect(await parcelsOf('SCAN-1')).toHaveLength(1)
  expect((await send('clean.xlsx', orders('SCAN-1'), 'preview')).statusCode).toBe(200)
})

test('an infected file is refused with its signature, and not stored, sent or previewed', async () => {
  const before = await storedFiles()
  for (const path of ['upload', 'preview']) {
    const answer = await send('infected.pdf', infectedFile, path)
    expect(answer.statusCode).toBe(422)
    expect(answer.json<{ detail: string }>().detail).toBe(
      `The file is infected (${eicarSignature}). It was removed.`,
    )
  }
  expect(await storedFiles()).toEqual(before)
  expect(await readdir(join(product.deps.config.dataFolder, 'incoming'))).toEqual([])
  expect(await uploads()).toEqual([])
  expect(sentNames()).not.toContain('infected.pdf')
})

test('an infected import is refused, and an import without a working scanner answers 503', async () => {
  const importFile = (content: string) =>
    sendFile(product.app, admin, '/api/admin/parcels/import/', {
      name: 'parcels.csv',
      content: Buffer.from(content),
    })
  const table = 'orderno,status,event_time\nSCAN-9,NEW,2026-11-19T10:00:00\n'
  const infectedAnswer = await importFile(`${table}${eicar}\n`)
  expect(infectedAnswer.statusCode).toBe(422)
  expect(infectedAnswer.json()).toMatchObject({
    detail: `The file is infected (${eicarSignature}). It was removed.`,
  })
  await clamd.stop()
  const unscannedAnswer = await importFile(table)
  await clamd.listen()
  expect(unscannedAnswer.statusCode).toBe(503)
  expect(await parcelsOf('SCAN-9')).toEqual([])
  expect((await importFile(table)).statusCode).toBe(200)
  expect(await parcelsOf('SCAN-9')).toHaveLength(1)
})

test('the scan of a file that is gone ends at once', async () => {
  const scan = openClamd(clamd.address).scan('/no/such/file', new AbortController().signal)
  await expect(scan).rejects.toMatchObject({ kind: 'gone' })
})

describe('No working scanner', () => {
  test('an order file waits unread, unsent and not downloadable, until a scan releases it', async () => {
    const { id, ...answer } = await uploadedWhileAway('waits.xlsx', orders('SCAN-2'))
    expect(answer).toEqual({
      sent_to_telegram: false,
      message: 'файл ждёт проверки на вирусы, прочитаем и отправим после неё',
      code: 'scan_pending',
    })
    const [waiting] = await uploads()
    expect(waiting).toMatchObject({ id, status: 'scanning', attempts: 0 })
    expect(waiting?.last_error).toContain('The virus scanner does not answer')
    for (const refusal of [await download(id), await retry(id)]) {
      expect(refusal.statusCode).toBe(409)
      expect(refusal.json()).toMatchObject({ detail: 'The file waits for the virus scanner.' })
    }
    await clamd.stop()
    await runJobs()
    await clamd.listen()
    expect(await parcelsOf('SCAN-2')).toEqual([])
    expect(sentNames()).not.toContain('waits.xlsx')

    await runJobs()
    expect(await parcelsOf('SCAN-2')).toHaveLength(1)
    expect((await uploads())[0]).toMatchObject({ id, status: 'sent', last_error: null })
    expect(sentNames()).toContain('waits.xlsx')
    expect((await download(id)).statusCode).toBe(200)
  })

  test('a preview without a working scanner answers 503', async () => {
    await clamd.stop()
    const answer = await send('preview.xlsx', orders('SCAN-3'), 'preview')
    await clamd.listen()
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('30')
  })

  test('an infected file is refused once it is scanned, with all its uploads, and its bytes are removed', async () => {
    const first = await uploadedWhileAway('first.pdf', infectedFile)
    const second = await uploadedWhileAway('second.pdf', infectedFile)
    const before = await storedFiles()
    await runJobs()
    expect((await uploads()).map(({ status, last_error }) => [status, last_error])).toEqual([
      ['refused', `Infected (${eicarSignature}); the file was removed`],
      ['refused', `Infected (${eicarSignature}); the file was removed`],
    ])
    expect(before.length - (await storedFiles()).length).toBe(1)
    for (const { id } of [first, second])
      for (const refusal of [await download(id), await retry(id)]) {
        expect(refusal.statusCode).toBe(409)
        expect(refusal.json<{ detail: string }>().detail).toContain(eicarSignature)
      }
    expect(sentNames()).not.toContain('first.pdf')
    const client = await product.deps.pool.connect()
    const { faults } = await createUploadsCheck(product.deps.files)
      .run(client)
      .finally(() => client.release())
    expect(faults).toEqual([])
  })
})

test.each([
  ['hang', 'did not answer in time'],
  ['drop', 'does not answer'],
  ['full', 'StreamMaxLength'],
  ['error', 'Heuristics failed ERROR'],
] as const)(
  'an upload does not wait longer for a scanner without an answer (%s) than its time',
  async (mode, reason) => {
    clamd.mode = mode
    const startTime = performance.now()
    product.deps.config.uploadAnswerTimeout = 3700
    const answer = await send(`${mode}.pdf`, buildPdf())
    product.deps.config.uploadAnswerTimeout = patientAnswer
    expect(performance.now() - startTime).toBeLessThan(patientAnswer / 2)
    expect(answer.json()).toMatchObject({ sent_to_telegram: false })
    const [waiting] = await uploads()
    expect(waiting).toMatchObject({ status: 'scanning' })
    expect(waiting?.last_error).toContain(reason)
    await expect.poll(() => clamd.open).toBe(0)
  },
)

test('a file that cannot be scanned lets later files go first', async () => {
  await uploadedWhileAway('first.pdf', buildPdf())
  await uploadedWhileAway('second.pdf', buildPdf())
  clamd.mode = 'full'
  await runJobs()
  const { rows } = await product.deps.pool.query<{ later: boolean }>(
    "select next_at > now() + interval '9 minutes' as later from uploads where status = 'scanning'",
  )
  expect(rows).toEqual([{ later: true }, { later: true }])
})

test('an upload whose file the store does not give lets later files go first', async () => {
  await clamd.stop()
  for (const name of ['first.pdf', 'second.pdf'])
    await send(name, Buffer.concat([buildPdf(), Buffer.from(name)]))
  await clamd.listen()
  const { pool, files } = product.deps
  const { rows } = await pool.query<{ sha256: string }>('select sha256 from uploads order by id limit 1')
  const withPath = files.withPath.bind(files)
  const store = vi.spyOn(files, 'withPath').mockImplementation(async (sha256, work) => {
    if (sha256 === rows[0]?.sha256) throw new AppError('file_store_unavailable')
    return withPath(sha256, work)
  })
  try {
    await pool.query('update uploads set next_at = now()')
    const [job] = uploadScansJob(product.deps)
    const run = () => job?.run(new AbortController().signal)
    await expect(run()).rejects.toMatchObject({ code: 'file_store_unavailable' })
    await expect(run()).rejects.toMatchObject({ code: 'file_store_unavailable' })
  } finally {
    store.mockRestore()
  }
  expect((await uploads()).map(({ name, status }) => [name, status])).toEqual([
    ['second.pdf', 'queued'],
    ['first.pdf', 'scanning'],
  ])
})

test('a scanner at a unix socket gets a large file completely', async () => {
  const path = join(product.deps.config.dataFolder, 'clamd.ctl')
  const local = await startClamd(path)
  const large = Buffer.alloc(3_000_001, 7)
  const file = join(product.deps.config.dataFolder, 'large')
  await writeFile(file, large)
  try {
    expect(await openClamd(path).scan(file, AbortSignal.timeout(10_000))).toBeNull()
    expect(local.sizes).toEqual([large.length])
  } finally {
    await local.stop()
  }
})
