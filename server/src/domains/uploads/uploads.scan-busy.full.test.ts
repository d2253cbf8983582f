import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@karvon/contract/lib/page.ts'
import { startClamd } from '@karvon/testkit/fakes/clamd.ts'
import { expect, onTestFinished, test } from 'vitest'
import { callApi, createTestApp, signInAdmin } from '../../../test/app.ts'
import { buildArchive, buildSheetXml, buildWorkbookParts } from '../../../test/archives.ts'
import { sendFile } from '../../../test/files.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { maxWorkbookThreads } from '../../platform/limits/limits.ts'
import { readWorkbookRows } from '../../platform/spreadsheets/spreadsheets.workbook.ts'
import { uploadScansJob } from './uploads.job.ts'

const workbook = buildArchive(
  buildWorkbookParts(
    buildSheetXml([
      [1, { A: 'orderno', B: 'person' }],
      [2, { A: 'B-1', B: 'Aziza' }],
    ]),
  ),
)

/** Takes all threads that read workbooks. Answers the function that frees them. */
async function takeWorkbookThreads(): Promise<() => Promise<unknown>> {
  const path = join(createTemporaryFolder(), 'a.xlsx')
  await writeFile(path, workbook)
  const readers = Array.from({ length: maxWorkbookThreads }, () =>
    readWorkbookRows({ path, extension: 'xlsx' }, { maxSeconds: 60 }),
  )
  await Promise.all(readers.map((reader) => reader.next()))
  return () => Promise.all(readers.map((reader) => reader.return(undefined)))
}

test('the orders of an upload that waited for its scan are stored after other workbooks were read', async () => {
  const clamd = await startClamd()
  const product = await createTestApp({ KARVON_CLAMAV: clamd.address })
  onTestFinished(async () => {
    await product.close()
    await clamd.stop()
  })
  const admin = await signInAdmin(product.app)
  await clamd.stop()
  const answer = await sendFile(product.app, admin, '/api/parcel/files/upload/', {
    name: 'orders.xlsx',
    content: workbook,
  })
  expect(answer.json()).toMatchObject({ sent_to_telegram: false })
  await clamd.listen()
  await product.deps.pool.query('update uploads set next_at = now()')
  const freeThreads = await takeWorkbookThreads()
  const runs = uploadScansJob(product.deps).map(async (job) => job.run(new AbortController().signal))
  // A person would not wait that long for an answer.
  await sleep(3500)
  await freeThreads()
  await Promise.all(runs)
  const { rows } = await product.deps.pool.query('select status from uploads')
  expect(rows).toEqual([{ status: 'queued' }])
  const parcels = await callApi(product.app, admin, 'GET', '/api/parcel/parcels/all?orderno=B-1')
  expect(parcels.json<Page<{ orderno: string }>>().items).toMatchObject([{ orderno: 'B-1' }])
})
