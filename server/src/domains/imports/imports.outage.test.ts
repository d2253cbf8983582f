import { randomUUID } from 'node:crypto'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'
import { createSample } from '../../../test/sample.ts'
import { interruptedImportsJob } from './imports.jobs.ts'

let product: Product
let admin: Session
let source: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  source = (await createSample(product.app, admin, cpaSources)).id
})
afterAll(() => product.close())

/** Loses the connection of the first statement that ends an import as done. Answers how many were lost. */
function loseEndOfImport() {
  const { pool } = product.deps
  const connect = pool.connect.bind(pool)
  let lostConnections = 0
  const connectAndWatch = async () => {
    const client = await connect()
    const query = client.query.bind(client)
    Object.assign(client, {
      query: (...args: unknown[]): unknown => {
        const [text, values] = args
        const isEnd = String(text).startsWith('update "imports"') && String(values).includes('done')
        if (!isEnd || lostConnections > 0) return Reflect.apply(query, undefined, args)
        lostConnections += 1
        return Promise.reject(new Error('Connection terminated unexpectedly'))
      },
    })
    return client
  }
  Object.assign(pool, {
    connect: (callback?: never) => (callback === undefined ? connectAndWatch() : connect(callback)),
  })
  return () => lostConnections
}

test('an import that ends while the database restarts is done, and has one audit entry', async () => {
  const key = randomUUID()
  const countLost = loseEndOfImport()
  const file = { name: 'leads.csv', content: 'external_id,created_at,status,payout\n1,2026-11-20,sold,10' }
  const answer = await sendFile(product.app, admin, '/api/admin/leads/import/', file, {
    source_id: String(source),
    key,
  })
  expect([answer.statusCode, countLost()]).toEqual([200, 1])
  await product.deps.pool.query(`update imports set heartbeat_at = now() - interval '61 seconds'`)
  await interruptedImportsJob(product.deps).run(new AbortController().signal)
  const progress = await callApi(product.app, admin, 'GET', `/api/admin/imports/${key}/`)
  expect(progress.json()).toMatchObject({ status: 'done', imported: 1, error: null })
  const log = await callApi(product.app, admin, 'GET', '/api/admin/audit/?action=import')
  expect(log.json()).toMatchObject({ items: [{ new_values: { imported: 1 } }] })
})
