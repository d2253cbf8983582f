import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@karvon/contract/lib/page.ts'
import { startClamd } from '@karvon/testkit/fakes/clamd.ts'
import { expect, onTestFinished, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildWorkbook } from '../../../test/archives.ts'
import { buildXls } from '../../../test/compound-file.ts'
import { sendFile } from '../../../test/files.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { maxQueuedWorkbooks, maxWorkbookThreads } from '../../platform/limits/limits.ts'
import { readWorkbookRows } from '../../platform/spreadsheets/spreadsheets.workbook.ts'
import { uploadScansJob } from './uploads.job.ts'

const workbook = buildWorkbook([
  [1, { A: 'orderno', B: 'person' }],
  [2, { A: 'B-1', B: 'Aziza' }],
])

/**
 * Takes all threads that read workbooks, and queues further readers. Answers the function that frees the threads and the
 * queue.
 */
async function takeWorkbookThreads(queuedReaders = 0): Promise<() => Promise<unknown>> {
  const path = join(createTemporaryFolder(), 'a.xls')
  await writeFile(path, buildXls([['orderno'], ['B-1']]))
  // The sizes of an old workbook are not checked, so each reader is in the queue at once, in this order.
  const readers = Array.from({ length: maxWorkbookThreads + queuedReaders }, () =>
    readWorkbookRows({ path, extension: 'xls' }, { maxSeconds: 60 }),
  )
  const reads = readers.map((reader) => reader.next())
  await Promise.all(reads.slice(0, maxWorkbookThreads))
  return () => Promise.all(readers.map((reader) => reader.return(undefined)))
}

/** A product with an upload that waits for its scan. The scanner works. */
async function createWaitingUpload(): Promise<{ product: Product; admin: Session }> {
  const clamd = await startClamd()
  const product = await createTestApp({ KARVON_CLAMAV: clamd.address })
  onTestFinished(async () => {
    await product.close()
    await clamd.stop()
  })
  const admin = await signInAdmin(product.app)
  await clamd.stop()
  expect((await sendOrders(product, admin)).json()).toMatchObject({ sent_to_telegram: false })
  await clamd.listen()
  await product.deps.pool.query('update uploads set next_at = now()')
  return { product, admin }
}

const sendOrders = (product: Product, admin: Session) =>
  sendFile(product.app, admin, '/api/parcel/files/upload/', { name: 'orders.xlsx', content: workbook })

const runScans = (product: Product) =>
  Promise.all(uploadScansJob(product.deps).map(async (job) => job.run(new AbortController().signal)))

async function readStatuses(product: Product): Promise<unknown> {
  return (await product.deps.pool.query('select status from uploads')).rows
}

async function readOrders(product: Product, admin: Session): Promise<string[]> {
  const parcels = await callApi(product.app, admin, 'GET', '/api/parcel/parcels/all?orderno=B-1')
  return parcels.json<Page<{ orderno: string }>>().items.map(({ orderno }) => orderno)
}

test('the orders of an upload that waited for its scan are stored after other workbooks were read', async () => {
  const { product, admin } = await createWaitingUpload()
  const freeThreads = await takeWorkbookThreads()
  const runs = runScans(product)
  // A person would not wait that long for an answer.
  await sleep(3500)
  await freeThreads()
  await runs
  expect(await readStatuses(product)).toEqual([{ status: 'queued' }])
  expect(await readOrders(product, admin)).toEqual(['B-1'])
})

test('an order file waits for a later scan while too many workbooks wait to be read', async () => {
  const { product, admin } = await createWaitingUpload()
  const freeThreads = await takeWorkbookThreads(maxQueuedWorkbooks)
  await expect(runScans(product)).rejects.toMatchObject({ code: 'workbooks_busy' })
  expect(await readStatuses(product)).toEqual([{ status: 'scanning' }])
  const answer = await sendOrders(product, admin)
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { imported: 0, errors: [{ row: 0, field: 'file', code: 'workbooks_busy' }] },
  ])
  await freeThreads()
  await runScans(product)
  expect(await readStatuses(product)).toEqual([{ status: 'queued' }, { status: 'queued' }])
  expect(await readOrders(product, admin)).toEqual(['B-1'])
})
