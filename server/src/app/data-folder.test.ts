import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import type { FastifyInstance } from 'fastify'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, testKey, type Product, type Session } from '../../test/app.ts'
import { buildPdf } from '../../test/archives.ts'
import { sendFile } from '../../test/files.ts'
import { createTemporaryFolder } from '../../test/folder.ts'
import { runJob } from '../../test/jobs.ts'
import { buildApp } from '../app.ts'
import { openDeps, openLog } from '../deps.ts'
import { hasStoredFiles } from '../domains/uploads/uploads.queries.ts'
import { claimFileStore } from '../platform/files/file-store.mark.ts'
import { openFolderStore } from '../platform/files/file-store.folder.ts'
import { createJobs } from './jobs.ts'

let product: Product
let admin: Session

beforeEach(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  return () => product.close()
})

const missing = [503, 'data_folder_missing']
const upload = (app: FastifyInstance) =>
  sendFile(app, admin, '/api/parcel/files/upload/', { name: 'a.pdf', content: buildPdf() })

async function readiness(app: FastifyInstance): Promise<unknown[]> {
  const answer = await callApi(app, null, 'GET', '/readyz')
  return answer.statusCode === 200 ? [200] : [answer.statusCode, answer.json<{ code: string }>().code]
}

const claim = (folder: string) =>
  claimFileStore(product.deps.db, { store: openFolderStore(folder), hasFiles: hasStoredFiles })

/** A second process on the same database with a data folder of its own, as main.ts starts it. */
async function startElsewhere() {
  const folder = createTemporaryFolder()
  const deps = await openDeps(
    { ...product.deps.config, dataFolder: folder },
    { url: product.databaseUrl, ring: { keys: [testKey] }, log: openLog('silent') },
  )
  const isOwn = await claim(folder)
  const app = await buildApp(deps)
  onTestFinished(async () => {
    await app.close()
    await deps.close()
    await rm(folder, { recursive: true })
  })
  return { app, deps, folder, isOwn }
}

test('a process without the files of the database is not ready and loses no file', async () => {
  const { id } = (await upload(product.app)).json<UploadAnswer>()
  const otherProcess = await startElsewhere()
  expect(otherProcess.isOwn).toBe(false)
  expect(await readiness(otherProcess.app)).toEqual(missing)
  for (const answer of [
    await upload(otherProcess.app),
    await callApi(otherProcess.app, admin, 'GET', `/api/admin/uploads/${id}/file`),
  ])
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual(missing)
  await expect(runJob(createJobs(otherProcess.deps), 'upload-files')).rejects.toMatchObject({
    code: missing[1],
  })
  expect(await readiness(product.app)).toEqual([200])
  expect((await callApi(product.app, admin, 'GET', `/api/admin/uploads/${id}/file`)).statusCode).toBe(200)
})

test('while no file is stored, the folder of the last start is valid, and processes with another folder are not ready', async () => {
  const otherProcess = await startElsewhere()
  expect(otherProcess.isOwn).toBe(true)
  expect(await readiness(otherProcess.app)).toEqual([200])
  expect(await readiness(product.app)).toEqual(missing)
  expect((await upload(product.app)).statusCode).toBe(503)
  expect((await upload(otherProcess.app)).statusCode).toBe(200)
  expect(await claim(product.deps.config.dataFolder)).toBe(false)
})

test('processes that start at once on a shared folder have one mark', async () => {
  const folder = createTemporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  expect(await Promise.all(Array.from({ length: 4 }, () => claim(folder)))).toEqual([true, true, true, true])
  const { rows } = await product.deps.pool.query<{ mark: string }>('select mark from data_folder')
  expect((await readFile(join(folder, 'data-folder'), 'utf8')).trim()).toBe(rows[0]?.mark)
})

test('a running process detects that its data folder is missing, and that it is back', async () => {
  const path = join(product.deps.config.dataFolder, 'data-folder')
  const mark = await readFile(path)
  await rm(path)
  expect(await readiness(product.app)).toEqual(missing)
  await writeFile(path, mark)
  expect(await readiness(product.app)).toEqual([200])
})

test('a database without a mark accepts the folder that has files', async () => {
  await upload(product.app)
  await product.deps.pool.query('delete from data_folder')
  await rm(join(product.deps.config.dataFolder, 'data-folder'))
  const empty = createTemporaryFolder()
  onTestFinished(() => rm(empty, { recursive: true }))
  expect(await claim(empty)).toBe(false)
  expect(await claim(product.deps.config.dataFolder)).toBe(true)
})
