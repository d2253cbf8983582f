import { selectCount } from '@karvon/testkit/extent.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { countRollupDifferences, noDifferences } from '../../../test/recount.ts'
import { setRecountBatch } from '../../../test/recounts.ts'
import { startWorker } from '../../../test/worker.ts'

const kills = selectCount({ short: 3, long: 6 })
const leads = 6000

let product: Product
const workers: Promise<NodeProcess>[] = []
beforeAll(async () => {
  product = await createTestApp()
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await (await worker).kill()
})
afterAll(() => product.close())

async function start(): Promise<NodeProcess> {
  const worker = startWorker('recount-worker', product)
  await worker.waitFor(/ready/)
  return worker
}
const advisoryLocksText = `select from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
const readRecounted = async () => {
  const { rows } = await product.deps.pool.query<{ recounted: number }>(
    'select recounted from status_recounts',
  )
  return rows[0]?.recounted
}

test('a process that is killed between and in batches leaves each lead in one column, and the next one continues', async () => {
  const { pool } = product.deps
  await setRecountBatch(pool, 5)
  await pool.query(`insert into cpa_sources (name, url) values ('Network', 'https://network.example')`)
  await pool.query(
    `insert into leads (source_id, external_id, source_status, status_id, payout, day, created_at, updated_at)
       select c.id, n, 'sold', s.id, 10, date '2026-01-01' + n % 50, timestamptz '2026-01-01 12:00' + n % 50 * interval '1 day', now()
       from cpa_sources c, statuses s, generate_series(1, $1::integer) n where s.name = 'Sold'`,
    [leads],
  )
  await pool.query(
    `update statuses set type_id = (select id from status_types where code = 'hold') where name = 'Sold'`,
  )
  let before = (await readRecounted()) ?? 0
  expect(before).toBe(5)
  for (let n = 0; n < kills; n++) {
    workers.push(start())
    const worker = (await workers.at(-1)) as NodeProcess
    await expect.poll(readRecounted, { interval: 5 }).toBeGreaterThan(before)
    await sleep(17 * n)
    await worker.kill()
    // PostgreSQL ends the statement of a process that died.
    await expect.poll(async () => (await pool.query(advisoryLocksText)).rowCount).toBe(0)
    const recountedLeads = await readRecounted()
    expect(recountedLeads).toBeGreaterThan(before)
    expect(recountedLeads).toBeLessThan(leads)
    before = recountedLeads ?? leads
    expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  }
  await setRecountBatch(pool, 1000)
  workers.push(start())
  await (await workers.at(-1))?.waitFor(/done/)
  expect(await readRecounted()).toBeUndefined()
  expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  const { rows } = await pool.query('select sum(sold) as sold, sum(hold) as hold from lead_deltas')
  expect(rows).toEqual([{ sold: 0, hold: leads }])
})
