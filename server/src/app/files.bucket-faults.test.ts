import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { buildPdf } from '../../test/archives.ts'
import { sendFile } from '../../test/files.ts'
import { createUser } from '../../test/people.ts'
import { uploadsJob } from '../domains/uploads/uploads.job.ts'

const answerPage = (response: ServerResponse) => response.end('<html>Sign in to the network</html>')
/** Writes without an end. */
const flood = (response: ServerResponse) => {
  while (response.write('a'.repeat(100_000)));
  response.once('drain', () => flood(response))
}
let answerPut: (response: ServerResponse) => void = answerPage
let answerGet: (response: ServerResponse) => void = flood

/** A bucket whose mark has no end. */
const bucket = createServer((request, response) => {
  request.resume()
  request.on('end', () => (request.method === 'PUT' ? answerPut(response) : answerGet(response)))
})
let telegram: FakeTelegram
let product: Product
let admin: Session

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    bucket.listen(0, '127.0.0.1', resolve)
  })
  telegram = await startTelegram('1:token')
  const { root } = telegram
  product = await createTestApp(
    {
      KARVON_FILES: 's3://bucket',
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    {
      uploadAnswerTimeout: 30_000,
      telegram: { token: '1:token', chat: '-100123', root, rate: null, answerWithin: 5000 },
    },
  )
  admin = await signInAdmin(product.app)
})
afterAll(async () => {
  await product.close()
  await telegram.close()
  bucket.closeAllConnections()
  bucket.close()
})

const send = (as: Session) =>
  sendFile(product.app, as, '/api/parcel/files/upload/', { name: 'a.pdf', content: buildPdf() })

test('a page of a proxy in place of the answer of a bucket stores nothing', async () => {
  answerPut = answerPage
  expect((await send(admin)).json()).toMatchObject({ code: 'file_store_unavailable' })
  const { rows } = await product.deps.pool.query('select from uploads')
  expect(rows).toHaveLength(0)
})

test('while a bucket does not answer, uploads leave connections of the database to other requests', async () => {
  const people = await Promise.all(['a1', 'a2', 'a3'].map((name) => createUser(product.app, admin, name)))
  const hanging: ServerResponse[] = []
  answerPut = (response) => hanging.push(response)
  const uploads = people.flatMap((as) => Array.from({ length: 4 }, () => send(as)))
  await expect.poll(() => hanging.length).toBeGreaterThan(1)
  const otherCalls = Array.from({ length: 4 }, () => callApi(product.app, admin, 'GET', '/api/admin/roles/'))
  expect((await Promise.all(otherCalls)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  answerPut = answerPage
  for (const response of hanging) answerPage(response)
  expect((await Promise.all(uploads)).map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(503))
})

const storeObject = (response: ServerResponse) => response.setHeader('etag', '"1"').end()

test('an upload waits while the bucket does not give its file, and is sent once afterwards', async () => {
  const { pool } = product.deps
  const readUploads = async () => (await pool.query('select status, attempts, unsure from uploads')).rows
  answerPut = storeObject
  telegram.mode = 'broken'
  expect((await send(admin)).json()).toMatchObject({ sent_to_telegram: false })
  telegram.mode = 'ok'
  const run = async () => {
    await pool.query('update uploads set next_at = now()')
    for (const job of uploadsJob(product.deps, 0)) await job.run(new AbortController().signal)
  }
  answerGet = (response) => response.writeHead(503).end()
  await run()
  expect(await readUploads()).toEqual([{ status: 'queued', attempts: 2, unsure: false }])
  answerGet = (response) => response.setHeader('etag', '"1"').end(buildPdf())
  await run()
  expect(await readUploads()).toEqual([{ status: 'sent', attempts: 3, unsure: false }])
  expect(telegram.sent).toHaveLength(1)
})

test('a new upload is sent without its copy in the bucket, which may be slow', async () => {
  answerPut = storeObject
  answerGet = () => {}
  expect((await send(admin)).json()).toMatchObject({ sent_to_telegram: true })
})
