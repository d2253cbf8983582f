import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { countRollupDifferences, noDifferences, recount } from '../../../test/recount.ts'
import { createJobs } from '../../app/jobs.ts'
import { isDatabaseUnavailable } from '../../platform/database/pg-errors.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { foldDeltas } from './reports.fold.queries.ts'

let product: Product
let source: number
beforeAll(async () => {
  product = await createTestApp()
  const insertion = product.deps.db
    .insertInto('cpa_sources')
    .values({ name: 'Network', url: 'https://network.example' })
  source = (await insertion.returning('id').executeTakeFirstOrThrow()).id
})
afterAll(() => product.close())

async function bring(count: number, version: number): Promise<void> {
  const batch = Array.from({ length: count }, (_, i) =>
    buildLead(`id ${i}`, {
      created_at: new Date(Date.UTC(2026, 0, 1 + (i % 300))).toISOString(),
      updated_at: new Date(Date.UTC(2026, 11, version)).toISOString(),
      payout: `${version}.5`,
      offer: `Offer ${(i + version) % 5}`,
      stream: `Stream ${i % 7}`,
    }),
  )
  await ingestLeads(product.deps.db, { sourceId: source, leads: batch, origin: 'file' })
}

async function pending(): Promise<number> {
  const { rows } = await product.deps.pool.query<{ n: number }>('select count(*) as n from lead_deltas')
  return rows[0]?.n ?? Number.NaN
}

test('a fold adds the requested number of the oldest deltas to the totals', async () => {
  const { db, pool } = product.deps
  await bring(500, 1)
  const pendingCount = await pending()
  expect(await foldDeltas(db, 100)).toBe(100)
  expect(await pending()).toBe(pendingCount - 100)
  expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  const { rows } = await pool.query<{ span: number; leads: number }>(
    'select span, sum(leads) as leads from source_totals group by 1 order by 1',
  )
  expect(rows.map(({ span }) => span)).toEqual([1, 4, 16, 64, 256])
  expect(new Set(rows.map(({ leads }) => leads)).size).toBe(1)
})

test('a fold that is killed changes nothing', async () => {
  const { db, pool } = product.deps
  await foldDeltas(db)
  await bring(500, 2)
  const before = await pending()
  expect(before).toBeGreaterThan(100)
  const holder = await pool.connect()
  try {
    // The fold cannot commit while this row is locked.
    await holder.query('begin')
    await holder.query('select from source_totals where span = 256 for update')
    await holder.query('select from stream_totals where span = 256 for update')
    const end = foldDeltas(db).then(
      () => 'folded',
      (error: unknown) => error,
    )
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'with removed%' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await pool.query(kill)).rowCount).toBeGreaterThan(0)
    expect(await end).toSatisfy(isDatabaseUnavailable)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect(await pending()).toBe(before)
  expect(await countRollupDifferences(pool)).toEqual(noDifferences)
})

test('a fold of one source does not wait for that of another', async () => {
  const { db, pool } = product.deps
  await foldDeltas(db)
  const { id: neighbour } = await db
    .insertInto('cpa_sources')
    .values({ name: 'Neighbour', url: 'https://neighbour.example' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await bring(500, 3)
  await ingestLeads(db, { sourceId: neighbour, leads: [buildLead('of the neighbour', {})], origin: 'file' })
  const readSources = async () =>
    (await pool.query<{ id: number }>('select distinct source_id as id from lead_deltas')).rows.map(
      ({ id }) => id,
    )
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from source_totals where source_id = $1 and span = 256 for update', [source])
    const fold = foldDeltas(db)
    await expect.poll(readSources).toEqual([source])
    await holder.query('rollback')
    await fold
  } finally {
    holder.release()
  }
  expect(await pending()).toBe(0)
  expect(await countRollupDifferences(pool)).toEqual(noDifferences)
})

test('the fold job runs in the background until no delta is left', async () => {
  const { deps } = product
  await bring(500, 4)
  const jobs = startJobs(deps, createJobs(deps))
  try {
    await expect.poll(pending).toBe(0)
  } finally {
    await jobs.stop()
  }
  expect(await countRollupDifferences(deps.pool)).toEqual(noDifferences)
  expect((await recount(deps.pool, 'daily', {}, null)).totals).toMatchObject({ leads: 501 })
})
