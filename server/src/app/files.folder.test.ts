import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { UploadAnswer } from '@karvon/contract/uploads/uploads.ts'
import { expect, onTestFinished, test } from 'vitest'
import { callApi, createTestApp, signInAdmin } from '../../test/app.ts'
import { buildPdf } from '../../test/archives.ts'
import { sendFile } from '../../test/files.ts'
import { processEnv } from '../../test/process-env.ts'
import { readConfig } from '../config.ts'

/** A folder of its own; on another file system than the data folder, if this machine has one. */
async function createFilesFolder(): Promise<string> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'karvon-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** The names of the stored files. */
const listFiles = async (folder: string) =>
  (await readdir(join(folder, 'files'), { recursive: true })).filter((name) => name.length > 2)

test('uploaded files are in the folder of KARVON_FILES, and the data folder has none', async () => {
  const folder = await createFilesFolder()
  const product = await createTestApp({ KARVON_FILES: folder })
  onTestFinished(() => product.close())
  const admin = await signInAdmin(product.app)
  const file = { name: 'a.pdf', content: buildPdf() }
  const send = () => sendFile(product.app, admin, '/api/parcel/files/upload/', file)
  const answer = await send()
  expect(answer.statusCode, answer.body).toBe(200)
  expect((await send()).statusCode).toBe(200)
  expect(await listFiles(folder)).toHaveLength(1)
  expect(existsSync(join(product.deps.config.dataFolder, 'files'))).toBe(false)
  const { id } = answer.json<UploadAnswer>()
  const stored = await callApi(product.app, admin, 'GET', `/api/admin/uploads/${id}/file`)
  expect(stored.rawPayload.equals(file.content)).toBe(true)
})

test('move-files copies the files of the data folder to the folder of KARVON_FILES, and keeps them', async () => {
  const folder = await createFilesFolder()
  const product = await createTestApp()
  onTestFinished(() => product.close())
  const { dataFolder } = product.deps.config
  const admin = await signInAdmin(product.app)
  await sendFile(product.app, admin, '/api/parcel/files/upload/', { name: 'a.pdf', content: buildPdf() })
  const move = (files: string) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, '..', 'cli.ts'), 'move-files'], {
      env: {
        ...processEnv,
        DATABASE_URL: product.databaseUrl,
        KARVON_DATA: dataFolder,
        KARVON_FILES: files,
      },
    })
  await expect(move(dataFolder)).rejects.toThrow(/move-files needs KARVON_FILES/)
  expect((await move(folder)).stdout).toContain('1 files are copied')
  expect((await move(folder)).stdout).toContain('0 files are copied')
  expect(await listFiles(folder)).toEqual(await listFiles(dataFolder))
})

test('a mistyped address of a bucket is no folder', () => {
  const read = (location: string) => readConfig({ DATABASE_URL: 'postgres://db/k', KARVON_FILES: location })
  for (const location of ['s4://bucket', 'https://bucket.example.uz', 's3://', 's3://A/b'])
    expect(() => read(location), location).toThrow('KARVON_FILES must be a folder, or a bucket such as s3://')
  expect(read('/srv/karvon')).toMatchObject({ filesFolder: '/srv/karvon', s3: undefined })
})
