import { execFile } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { startS3Server, type S3Server } from '@karvon/testkit/s3-server.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, testKey, type Product, type Session } from '../../test/app.ts'
import { buildPdf, buildWorkbook } from '../../test/archives.ts'
import { createTestDatabase } from '../../test/database.ts'
import { sendFile } from '../../test/files.ts'
import { createTemporaryFolder } from '../../test/folder.ts'
import { runJob } from '../../test/jobs.ts'
import { processEnv } from '../../test/process-env.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openDeps, openLog } from '../deps.ts'
import { claimFileStore } from '../platform/files/file-store.mark.ts'
import { createUploadsCheck } from '../domains/uploads/uploads.check.ts'
import { hasStoredFiles } from '../domains/uploads/uploads.queries.ts'
import { createJobs } from './jobs.ts'

const command = join(import.meta.dirname, '..', 'cli.ts')

let s3: S3Server
let telegram: FakeTelegram

beforeAll(async () => {
  s3 = await startS3Server()
  telegram = await startTelegram('1:token')
})
afterAll(async () => {
  await s3.close()
  await telegram.close()
})

/** The names of the objects. Each is a folder of the server's data. */
const listObjects = async () =>
  (await readdir(join(s3.folder, 'files')).catch(() => []))
    .filter((name) => name.endsWith('_object'))
    .map((name) => name.split('.')[0])

const send = (app: FastifyInstance, as: Session, name: string, content: Buffer) =>
  sendFile(app, as, '/api/parcel/files/upload/', { name, content })
const read = (app: FastifyInstance, as: Session, id: number) =>
  callApi(app, as, 'GET', `/api/admin/uploads/${id}/file`)
const pdfWith = (text: string) => Buffer.concat([buildPdf(), Buffer.from(`% ${text}\n`)])

/** Starts another process on the database of a product, with a data folder of its own. */
async function startElsewhere(
  { databaseUrl: url }: Pick<Product, 'databaseUrl'>,
  env: Record<string, string>,
) {
  const folder = createTemporaryFolder()
  const deps = await openDeps(
    readConfig({ DATABASE_URL: url, KARVON_DATA: folder, KARVON_LOG: 'silent', ...env }),
    { url, ring: { keys: [testKey] }, log: openLog('silent') },
  )
  const isOwn = await claimFileStore(deps.db, { store: deps.files, hasFiles: hasStoredFiles })
  const app = await buildApp(deps)
  onTestFinished(async () => {
    await app.close()
    await deps.close()
    await rm(folder, { recursive: true })
  })
  return { app, deps, isOwn }
}

describe('Files in a bucket', () => {
  let product: Product
  let admin: Session

  beforeEach(async () => {
    product = await createTestApp(s3.env, {
      uploadAnswerTimeout: 30_000,
      telegram: {
        token: '1:token',
        chat: '-100123',
        root: telegram.root,
        rate: { interval: 1, perMinute: 1000 },
        answerWithin: 5000,
      },
    })
    admin = await signInAdmin(product.app)
  })
  afterEach(async () => {
    await product.close()
    await rm(s3.folder, { recursive: true, force: true })
  })

  test('an upload is an object of the bucket, is sent, and is read by processes without a common folder', async () => {
    const content = pdfWith('shared')
    const answer = await send(product.app, admin, 'a.pdf', content)
    expect(answer.json()).toMatchObject({ sent_to_telegram: true })
    const { id } = answer.json<UploadAnswer>()
    expect(await listObjects()).toHaveLength(1)
    expect(await readdir(join(product.deps.config.dataFolder, 'incoming'))).toEqual([])
    expect(await readdir(product.deps.config.dataFolder)).not.toContain('files')
    const otherProcess = await startElsewhere(product, s3.env)
    expect(otherProcess.isOwn).toBe(true)
    expect((await callApi(otherProcess.app, null, 'GET', '/readyz')).statusCode).toBe(200)
    const file = await read(otherProcess.app, admin, id)
    expect(file.statusCode).toBe(200)
    expect(file.rawPayload.equals(content)).toBe(true)
    expect(file.headers['content-length']).toBe(String(content.length))
  })

  test('the orders of an uploaded workbook become parcels', async () => {
    const rows: [number, Record<string, string>][] = [
      [1, { A: '№ заказа', B: 'Получатель', C: 'Телефон', D: 'Город', E: 'Дата' }],
      [2, { A: 'S3-1', B: 'Азиза Юсупова', C: '+998 90 123-45-67', D: 'Ташкент', E: '21.11.2026' }],
    ]
    const workbook = buildWorkbook(rows)
    expect((await send(product.app, admin, 'orders.xlsx', workbook)).statusCode).toBe(200)
    const parcels = await callApi(product.app, admin, 'GET', '/api/parcel/parcels/all?search=S3-1')
    expect(parcels.json<Page<{ orderno: string }>>().items).toMatchObject([{ orderno: 'S3-1' }])
  })

  test('while the bucket does not answer, uploads are refused and nothing is stored; everything else works', async () => {
    const { id } = (await send(product.app, admin, 'a.pdf', pdfWith('before'))).json<UploadAnswer>()
    await s3.stop()
    const refusal = [503, 'file_store_unavailable']
    for (const answer of [
      await send(product.app, admin, 'b.pdf', pdfWith('meanwhile')),
      await read(product.app, admin, id),
    ])
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual(refusal)
    expect((await callApi(product.app, null, 'GET', '/readyz')).statusCode).toBe(200)
    await s3.listen()
    expect((await callApi(product.app, admin, 'GET', '/api/admin/uploads/')).json()).toMatchObject({
      meta: { total: 1 },
    })
    expect((await send(product.app, admin, 'b.pdf', pdfWith('meanwhile'))).statusCode).toBe(200)
    expect(await listObjects()).toHaveLength(2)
    expect(await readdir(join(product.deps.config.dataFolder, 'incoming'))).toEqual([])
  })

  test('an upload that waits for the job is sent from the bucket', async () => {
    telegram.mode = 'reset'
    const { sent_to_telegram: isSent } = (
      await send(product.app, admin, 'a.pdf', pdfWith('later'))
    ).json<UploadAnswer>()
    expect(isSent).toBe(false)
    telegram.mode = 'ok'
    await product.deps.pool.query('update uploads set next_at = now()')
    await runJob(createJobs(product.deps), 'uploads')
    const { items } = (await callApi(product.app, admin, 'GET', '/api/admin/uploads/')).json<
      Page<{ status: string }>
    >()
    expect(items).toMatchObject([{ status: 'sent' }])
  })

  test('the objects of old uploads are removed', async () => {
    await send(product.app, admin, 'a.pdf', pdfWith('old'))
    await product.deps.pool.query(`update uploads set created_at = created_at - interval '400 days'`)
    await runJob(createJobs(product.deps), 'upload-files')
    await product.deps.pool.query('update file_removals set due_at = now()')
    await runJob(createJobs(product.deps), 'upload-files')
    expect(await listObjects()).toEqual([])
  })

  test('the check finds an object that is gone or has other bytes', async () => {
    await send(product.app, admin, 'a.pdf', pdfWith('checked'))
    const check = async () => {
      const client = await product.deps.pool.connect()
      return (
        await createUploadsCheck(product.deps.files)
          .run(client)
          .finally(() => client.release())
      ).faults
    }
    expect(await check()).toEqual([])
    const [name = ''] = await listObjects()
    await writeFile(join(s3.folder, 'files', `${name}._S3rver_object`), 'other')
    expect(await check()).toMatchObject([expect.stringContaining('is not what was uploaded')])
    await product.deps.files.remove(name)
    expect(await check()).toMatchObject([expect.stringContaining(`s3://karvon-files/desk/files/${name}`)])
  })

  test('a backup has the objects, and a restore puts them into a bucket', async () => {
    const { id } = (await send(product.app, admin, 'a.pdf', pdfWith('saved'))).json<UploadAnswer>()
    const folder = createTemporaryFolder()
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const karvon = (args: string[], url: string) =>
      promisify(execFile)(process.execPath, [command, ...args], {
        env: { ...processEnv, ...s3.env, DATABASE_URL: url, KARVON_DATA: join(folder, 'data') },
      })
    await karvon(['backup', join(folder, 'backup')], product.databaseUrl)
    await rm(s3.folder, { recursive: true })
    const empty = await createTestDatabase({ empty: true })
    onTestFinished(() => empty.drop())
    await karvon(['restore', join(folder, 'backup')], empty.url)
    expect(await listObjects()).toHaveLength(1)
    const restored = await startElsewhere({ databaseUrl: empty.url }, s3.env)
    expect(restored.isOwn).toBe(true)
    const restoredAdmin = await signInAdmin(restored.app)
    expect((await read(restored.app, restoredAdmin, id)).rawPayload.equals(pdfWith('saved'))).toBe(true)
  })
})

test('move-files copies the folder to the bucket, continues after a failure, and closes the folder to uploads', async () => {
  const product = await createTestApp()
  onTestFinished(async () => {
    await product.close()
    await rm(s3.folder, { recursive: true, force: true })
  })
  const admin = await signInAdmin(product.app)
  const ids: number[] = []
  for (const n of [1, 2, 3])
    ids.push((await send(product.app, admin, `${n}.pdf`, pdfWith(`file ${n}`))).json<UploadAnswer>().id)
  const move = () =>
    promisify(execFile)(process.execPath, [command, 'move-files'], {
      env: {
        ...processEnv,
        ...s3.env,
        DATABASE_URL: product.databaseUrl,
        KARVON_DATA: product.deps.config.dataFolder,
      },
    })
  const early = await startElsewhere(product, s3.env)
  expect(early.isOwn).toBe(false)
  expect((await send(early.app, admin, 'x.pdf', pdfWith('early'))).json()).toMatchObject({
    code: 'data_folder_missing',
  })
  await s3.stop()
  await expect(move()).rejects.toThrow(/move-files failed: The store of uploaded files/)
  expect((await send(product.app, admin, '4.pdf', pdfWith('file 4'))).statusCode).toBe(200)
  await s3.listen()
  expect((await move()).stdout).toContain('4 files are copied')
  expect((await move()).stdout).toContain('0 files are copied')
  expect((await send(product.app, admin, '5.pdf', pdfWith('file 5'))).json()).toMatchObject({
    code: 'data_folder_missing',
  })
  const later = await startElsewhere(product, s3.env)
  expect(later.isOwn).toBe(true)
  for (const [index, id] of ids.entries())
    expect((await read(later.app, admin, id)).rawPayload.equals(pdfWith(`file ${index + 1}`))).toBe(true)
})
