import type { AuditEntry } from '@karvon/contract/audit/audit.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Postback } from '@karvon/contract/postbacks/postbacks.ts'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '../../test/jobs.ts'
import { arrangePartitions, readPartitionStarts, startOfMonth } from '../../test/log-partitions.ts'
import { now } from '../../test/moment.ts'
import { openPostbacks, type Postbacks } from '../../test/postbacks.ts'
import { beginSnapshot } from '../platform/database/snapshot.ts'
import { logPartitionsJob } from '../platform/jobs/log-partitions.ts'
import { rowCountsCheck } from '../resources/lists.check.ts'
import { createJobs } from './jobs.ts'

let network: Postbacks
let pool: pg.Pool
beforeAll(async () => {
  network = await openPostbacks()
  await network.newSource()
  ;({ pool } = network.product.deps)
})
afterAll(() => network.close())

/** Runs the registered job of a log. */
const runPartitionsJob = (log: string) => runJob(createJobs(network.product.deps), `${log}-partitions`)

/** Receives a postback, and moves it to the start of the month that is `months` after the present one. */
async function receive(tid: string, months: number): Promise<void> {
  expect((await network.get({ tid, status: 'sold' })).status).toBe(200)
  await pool.query(`update postbacks set at = ${startOfMonth(months)} where external_id = $1`, [tid])
}
const list = (query = '') => network.admin<Page<Postback>>('GET', `/api/admin/postbacks/?${query}`)
const listIds = async (query?: string) => (await list(query)).items.map(({ external_id: id }) => id)
const findWrongCounts = async () => {
  const client = await pool.connect()
  try {
    return (await rowCountsCheck.run(client)).faults
  } finally {
    client.release()
  }
}

describe('Partitions ahead', () => {
  test('a run of the job creates the partitions of three months of postbacks, and a second run changes nothing', async () => {
    await arrangePartitions(pool, 'postbacks', [0, 1])
    for (let run = 1; run <= 2; run += 1) {
      await runPartitionsJob('postbacks')
      expect(await readPartitionStarts(pool, 'postbacks')).toEqual([0, 1, 2, 3, 4])
    }
    expect(await findWrongCounts()).toEqual([])
  })

  test('the audit log has partitions of years', async () => {
    const newYear = -new Date(now()).getUTCMonth()
    await arrangePartitions(pool, 'audit_log', [newYear - 12])
    await pool.query(
      `insert into audit_log (at, action, resource) values (${startOfMonth(newYear - 1)}, 'create', 'offers')`,
    )
    await runPartitionsJob('audit_log')
    expect(await readPartitionStarts(pool, 'audit_log')).toEqual(
      [-12, 12, 24].map((months) => newYear + months),
    )
    await pool.query(`insert into audit_log (action, resource) values ('update', 'offers')`)
    const { items } = await network.admin<Page<AuditEntry>>('GET', '/api/admin/audit/')
    expect(items.map(({ action }) => action)).toEqual(['update', 'create'])
    expect(await findWrongCounts()).toEqual([])
  })

  test('postbacks of months without a partition stay, with their ids, and get a partition', async () => {
    await arrangePartitions(pool, 'postbacks', [-2])
    await receive('old', -1)
    await receive('clock ahead', 24)
    await receive('new', 0)
    const before = await list()
    await runPartitionsJob('postbacks')
    expect(await list()).toEqual(before)
    expect(before.items.map(({ external_id: id }) => id)).toEqual(['clock ahead', 'new', 'old'])
    expect(await readPartitionStarts(pool, 'postbacks')).toEqual([-2, 1, 2, 3, 4])
    const { rows } = await pool.query<{ rows: number }>('select count(*) as rows from postbacks_rest')
    expect(rows).toEqual([{ rows: 1 }])
    expect(await findWrongCounts()).toEqual([])
  })
})

describe('Months that are dropped', () => {
  beforeEach(async () => {
    await arrangePartitions(pool, 'postbacks', [-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4])
    for (const [tid, months] of [
      ['older', -9],
      ['6', -6],
      ['5', -5],
      ['2', -2],
      ['0', 0],
    ] as const)
      await receive(tid, months)
  })

  test('a month of postbacks is dropped when all of it is older than 90 days; other rows and the leads stay', async () => {
    await runPartitionsJob('postbacks')
    expect(await listIds()).toEqual(['0', '2'])
    expect(await listIds('sort=at&per_page=1&page=2')).toEqual(['0'])
    expect((await list()).meta.total).toBe(2)
    expect(Math.min(...(await readPartitionStarts(pool, 'postbacks')))).toBeGreaterThanOrEqual(-4)
    expect(await findWrongCounts()).toEqual([])
    expect(await network.lead('6')).toMatchObject({ source_status: 'sold' })
    // The clock of the database is set back.
    await receive('late', -12)
    expect(await listIds()).toEqual(['0', '2', 'late'])
  })

  test('the audit log is never dropped', async () => {
    await arrangePartitions(pool, 'audit_log', [-40, -39, 36])
    await pool.query(
      `insert into audit_log (at, action, resource) values (now() - interval '20 years', 'create', 'offers')`,
    )
    await runPartitionsJob('audit_log')
    expect((await network.admin<Page<object>>('GET', '/api/admin/audit/')).meta.total).toBe(1)
    expect(await readPartitionStarts(pool, 'audit_log')).toEqual([-40, -39, 36])
  })

  test('writers of postbacks get no error while a month is dropped', async () => {
    const reader = await pool.connect()
    await reader.query('begin')
    await reader.query('select from postbacks limit 1')
    const writersStop = new AbortController()
    let sentCount = 0
    const write = async (name: string) => {
      while (!writersStop.signal.aborted) {
        sentCount += 1
        expect((await network.get({ tid: `${name} ${sentCount}`, status: 'sold' })).status).toBe(200)
      }
    }
    const writers = [write('a'), write('b')]
    const { db } = network.product.deps
    const dropping = logPartitionsJob(db, { table: 'postbacks', unit: 'month', days: 90 }, 50).run(
      new AbortController().signal,
    )
    const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%drop_log_partitions%'`
    await expect.poll(async () => (await pool.query(text)).rowCount).toBe(1)
    await reader.query('rollback')
    reader.release()
    await dropping
    writersStop.abort()
    await Promise.all(writers)
    expect((await list()).meta.total).toBe(sentCount + 2)
    expect(await findWrongCounts()).toEqual([])
  })

  test('a month of postbacks is not dropped during a backup or a check; the run fails and a later one drops it', async () => {
    const client = new pg.Client(network.product.databaseUrl)
    await client.connect()
    await beginSnapshot(client)
    const { db } = network.product.deps
    const job = logPartitionsJob(db, { table: 'postbacks', unit: 'month', days: 90 }, 0)
    const run = () => job.run(new AbortController().signal)
    await expect(run()).rejects.toMatchObject({ code: '55P03' })
    expect((await network.get({ tid: 'meanwhile', status: 'sold' })).status).toBe(200)
    expect((await rowCountsCheck.run(client)).faults).toEqual([])
    await client.end()
    await run()
    expect(await listIds()).toEqual(['meanwhile', '0', '2'])
  })
})
