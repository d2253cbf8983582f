import { eicar, eicarSignature, startClamd } from '@karvon/testkit/fakes/clamd.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp, signInAdmin } from '../../../test/app.ts'
import { buildPdf, buildWorkbook } from '../../../test/archives.ts'
import { sendFile } from '../../../test/files.ts'
import { uploadScansJob } from './uploads.job.ts'

const buildOrders = (orderno: string) =>
  buildWorkbook([
    [1, { A: 'orderno', B: 'person' }],
    [2, { A: orderno, B: 'Aziza' }],
  ])

test('a notice names a scanned file whose orders were refused, and an infected file', async () => {
  const clamd = await startClamd()
  const product = await createTestApp({ KARVON_CLAMAV: clamd.address })
  onTestFinished(async () => {
    await product.close()
    await clamd.stop()
  })
  const { pool } = product.deps
  const admin = await signInAdmin(product.app)
  await pool.query(
    "insert into telegram_links (user_id, chat_id, linked_at) select id, '501', now() from users",
  )
  await clamd.stop()
  const upload = async (name: string, content: Buffer) => {
    const answer = await sendFile(product.app, admin, '/api/parcel/files/upload/', { name, content })
    expect(answer.json(), answer.body).toMatchObject({ code: 'scan_pending' })
    return answer.json<{ id: number }>().id
  }
  await upload('clean.xlsx', buildOrders('SCAN-1'))
  const refusedId = await upload('refused.xlsx', buildOrders('SCAN'.repeat(40)))
  const infectedId = await upload('infected.pdf', Buffer.concat([buildPdf(), Buffer.from(eicar)]))
  await clamd.listen()
  const runScans = async () => {
    await pool.query('update uploads set next_at = now()')
    await Promise.all(uploadScansJob(product.deps).map(async (job) => job.run(new AbortController().signal)))
    return (await pool.query('select kind, once, message, params from notices order by id')).rows as unknown[]
  }
  const notices = [
    {
      kind: 'problem',
      once: `upload:${refusedId}`,
      message: 'upload_orders_refused',
      params: { name: 'refused.xlsx' },
    },
    {
      kind: 'problem',
      once: `upload:${infectedId}`,
      message: 'upload_infected',
      params: { name: 'infected.pdf', signature: eicarSignature },
    },
  ]
  expect(await runScans()).toEqual(notices)
  expect(await runScans(), 'a second run').toEqual(notices)
})
