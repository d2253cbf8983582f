import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Upload, UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildPdf } from '../../../test/archives.ts'
import { sendFile } from '../../../test/files.ts'
import { ago, day, hour } from '../../../test/moment.ts'
import { createJobs } from '../../app/jobs.ts'
import { lockFilesAgainstRemovalSql } from '../../platform/files/file-lock.ts'
import { openFolderStore, type FolderStore } from '../../platform/files/file-store.folder.ts'

let product: Product
let admin: Session
let files: FolderStore

beforeAll(async () => {
  product = await createTestApp({ KARVON_UPLOADS_KEPT_DAYS: '30' })
  admin = await signInAdmin(product.app)
  files = openFolderStore(product.deps.config.dataFolder)
})
afterAll(() => product.close())
beforeEach(async () => {
  await run('delete from uploads')
  await run('update file_removals set due_at = $1', [ago(0)])
  await runJobs()
})

const run = async (text: string, values: unknown[] = []) =>
  (await product.deps.pool.query(text, values)).rows as unknown[]

/** Uploads a file and sets the age and the status of the upload. */
async function upload(mark: string, status: string, age: number): Promise<number> {
  const content = Buffer.concat([buildPdf(), Buffer.from(`\n%${mark}`)])
  const answer = await sendFile(product.app, admin, '/api/parcel/files/upload/', {
    name: `${mark}.pdf`,
    content,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const { id } = answer.json<UploadAnswer>()
  await run('update uploads set status = $2, created_at = $3 where id = $1', [id, status, ago(age)])
  return id
}

/** Runs the retention jobs until they have nothing to do. */
async function runJobs(of: Product['deps'] = product.deps): Promise<void> {
  for (const name of ['upload-files', 'uploads-retention']) {
    const job = createJobs(of).find((item) => item.name === name)
    if (job === undefined) throw new Error(`There is no job ${name}`)
    while ((await job.run(new AbortController().signal))?.hasMore === true);
  }
}
const dueNow = () => run('update file_removals set due_at = $1', [ago(hour)])

async function uploads(): Promise<Map<number, Upload>> {
  const answer = await callApi(product.app, admin, 'GET', '/api/admin/uploads/?per_page=100')
  return new Map(answer.json<Page<Upload>>().items.map((item) => [item.id, item]))
}
async function storedFiles(): Promise<number> {
  const names = await readdir(join(product.deps.config.dataFolder, 'files'), { recursive: true }).catch(
    () => [],
  )
  return names.filter((name) => /[\da-f]{64}$/.test(name)).length
}
const download = (id: number) => callApi(product.app, admin, 'GET', `/api/admin/uploads/${id}/file`)
const retry = (id: number) => callApi(product.app, admin, 'POST', `/api/admin/uploads/${id}/retry/`)

test('the file of an old sent or refused upload is removed, and its record says so', async () => {
  const sentId = await upload('sent', 'sent', 31 * day)
  const refusedId = await upload('refused', 'refused', 31 * day)
  const queuedId = await upload('queued', 'queued', 31 * day)
  const young = await upload('young', 'sent', 29 * day)
  await dueNow()
  await runJobs()
  const list = await uploads()
  for (const id of [sentId, refusedId]) {
    expect(list.get(id)?.file_removed_at).toEqual(expect.any(String))
    const answer = await download(id)
    expect(answer.statusCode).toBe(410)
    expect(answer.json()).toEqual({
      code: 'upload_removed',
      detail: 'The file was removed: it was older than files are kept.',
    })
  }
  expect((await retry(refusedId)).statusCode).toBe(410)
  for (const id of [queuedId, young]) {
    expect(list.get(id)?.file_removed_at).toBeNull()
    expect((await download(id)).statusCode).toBe(200)
  }
  expect(await storedFiles()).toBe(2)
})

test('a file shared with a younger upload stays until that upload is old too', async () => {
  const old = await upload('shared', 'sent', 31 * day)
  const young = await upload('shared', 'sent', day)
  await dueNow()
  await runJobs()
  expect((await download(old)).statusCode).toBe(410)
  expect((await download(young)).statusCode).toBe(200)
  await run('update uploads set created_at = $2 where id = $1', [young, ago(31 * day)])
  await runJobs()
  expect((await download(young)).statusCode).toBe(410)
  expect(await storedFiles()).toBe(0)
})

test('a file whose row was marked before a kill is removed by the next run', async () => {
  const id = await upload('killed', 'sent', 31 * day)
  await dueNow()
  // The job fails at the file. As after a kill, the row is marked and the file still exists.
  const folder = join(product.deps.config.dataFolder, 'files')
  await rename(folder, `${folder}.away`)
  await writeFile(folder, '')
  await expect(runJobs()).rejects.toThrow('ENOTDIR')
  await rm(folder)
  await rename(`${folder}.away`, folder)
  expect((await uploads()).get(id)?.file_removed_at).toEqual(expect.any(String))
  expect((await download(id)).statusCode).toBe(410)
  expect(await storedFiles()).toBe(1)
  await runJobs()
  expect(await storedFiles()).toBe(0)
})

test('a file without an upload row is removed after an hour', async () => {
  const sha256 = 'a'.repeat(64)
  await run(`insert into file_removals values ($1, $2)`, [sha256, ago(-hour)])
  const path = join(product.deps.config.dataFolder, 'cut-off')
  await writeFile(path, 'x')
  await files.store(path, sha256)
  await runJobs()
  expect(await storedFiles()).toBe(1)
  await dueNow()
  await runJobs()
  expect(await storedFiles()).toBe(0)
})

test('no file is removed during an upload or a backup', async () => {
  await upload('busy', 'sent', 31 * day)
  await dueNow()
  const holder = await product.deps.sessionPool.connect()
  await holder.query(lockFilesAgainstRemovalSql)
  await runJobs()
  const whileHeld = await storedFiles()
  await holder.query('select pg_advisory_unlock_all()')
  holder.release()
  expect(whileHeld).toBe(1)
  await runJobs()
  expect(await storedFiles()).toBe(0)
})

test('an upload does not wait for the removal of many files', async () => {
  await run(`insert into file_removals select lpad(n::text, 64, '0'), $1 from generate_series(1, 100) n`, [
    ago(hour),
  ])
  // A bucket that takes a tenth of a second for each file.
  let removedCount = 0
  const remove = async () => {
    await sleep(100)
    removedCount += 1
  }
  const running = runJobs({ ...product.deps, files: { ...files, remove } })
  await expect.poll(() => removedCount).toBeGreaterThan(0)
  await upload('meanwhile', 'sent', 0)
  const removedBefore = removedCount
  await running
  expect(removedBefore).toBeLessThan(50)
  expect(removedCount).toBe(100)
})

test('KARVON_UPLOADS_KEPT_DAYS=0 keeps files for ever, and a record is deleted three years after its file', async () => {
  const id = await upload('for ever', 'sent', 4000 * day)
  await dueNow()
  await runJobs({ ...product.deps, config: { ...product.deps.config, uploadRetentionDays: 0 } })
  expect((await download(id)).statusCode).toBe(200)
  await run('update uploads set file_removed_at = $2 where id = $1', [id, ago(1094 * day)])
  await runJobs()
  expect((await uploads()).has(id)).toBe(true)
  await run('update uploads set file_removed_at = $2 where id = $1', [id, ago(1096 * day)])
  await runJobs()
  expect((await uploads()).has(id)).toBe(false)
})

test('a removed file no longer counts in the quota of its person', async () => {
  await upload('room', 'sent', 31 * day)
  const usage = () => run('select upload_count, upload_bytes from person_usage')
  expect(await usage()).toEqual([{ upload_count: 1, upload_bytes: expect.any(Number) as number }])
  await runJobs()
  expect(await usage()).toEqual([{ upload_count: 0, upload_bytes: 0 }])
})
