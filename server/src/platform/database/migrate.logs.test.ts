import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TEST_TIMEZONE, createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { readPartitionStarts } from '../../../test/log-partitions.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
let pool: pg.Pool

/** Rows of fourteen months, before the logs have partitions. */
beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  pool = new pg.Pool({ connectionString: database.url })
  pool.on('error', () => {})
  await migrate(database.url, { timezone: TEST_TIMEZONE, last: '0049_lead_segments.sql' })
  await pool.query(`
    insert into cpa_sources (name, url) values ('Network', 'https://network.example');
    insert into leads (source_id, external_id, source_status, day, created_at, updated_at)
      select id, 'L-1', 'sold', '2026-11-20', '2026-11-20', '2026-11-20' from cpa_sources;
    insert into postbacks (at, source_id, method, params, outcome, lead_id)
      select now() - n * interval '1 day', s.id, 'GET', '{}', 'created', l.id from generate_series(0, 420) n, cpa_sources s, leads l;
    insert into users (username, name, email, password_hash, role_id)
      select 'aziz', 'Aziz', 'aziz@example.uz', '-', min(id) from roles;
    insert into audit_log (at, user_id, action, resource)
      select now() - n * interval '1 day', u.id, 'create', 'offers' from generate_series(0, 420) n, users u;
    delete from postbacks where id = 421`)
})
afterEach(async () => {
  await pool.end()
  await database.drop()
})

const upgrade = (log?: (message: string) => void) =>
  migrate(database.url, { timezone: TEST_TIMEZONE, lockTimeout: 200, ...(log !== undefined && { log }) })
/** The audit log has partitions of years. */
const expectPartitionsOfYears = async () => {
  const starts = await readPartitionStarts(pool, 'audit_log')
  expect(starts[0]).toBeGreaterThanOrEqual(1)
  expect(starts.map((months) => months - (starts[0] ?? 0))).toEqual(starts.map((_, index) => index * 12))
}
const read = async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows
const readLogs = async () => [
  await read('select * from postbacks order by id'),
  await read('select * from audit_log order by id'),
  await read(
    `select table_name, sum(rows) from row_counts where table_name in ('postbacks', 'audit_log') group by 1 order by 1`,
  ),
]

test('an upgrade keeps each row of the logs with its id, their keys and the next id', async () => {
  const before = await readLogs()
  await upgrade()
  expect(await readLogs()).toEqual(before)
  expect(await readPartitionStarts(pool, 'postbacks')).toEqual([2, 3, 4])
  await expectPartitionsOfYears()
  const insert = `insert into postbacks (method, params, outcome, lead_id) values ('GET', '{}', 'created', $1) returning id`
  expect((await pool.query(insert, [null])).rows).toEqual([{ id: '422' }])
  await expect(pool.query(insert, [99])).rejects.toMatchObject({ constraint: 'postbacks_lead_id_fkey' })
  await expect(pool.query('delete from users')).rejects.toMatchObject({
    constraint: 'audit_log_user_id_fkey',
  })
  await expect(pool.query('delete from leads')).rejects.toMatchObject({
    constraint: 'postbacks_lead_id_fkey',
  })
  await pool.query(`update postbacks set lead_id = null; delete from leads; delete from cpa_sources`)
  expect(await read('select count(*)::integer as n from postbacks where source_id is null')).toEqual([
    { n: 421 },
  ])
})

test('an upgrade keeps the rows that were written while the clock was ahead', async () => {
  await pool.query(`update postbacks set at = now() + interval '400 days' where id = 1`)
  const before = await readLogs()
  await upgrade()
  expect(await readLogs()).toEqual(before)
  const [first = 0] = await readPartitionStarts(pool, 'postbacks')
  expect(first).toBeGreaterThanOrEqual(13)
  await expectPartitionsOfYears()
})

test('an upgrade that is killed while it waits for its lock blocks no calls, and continues', async () => {
  const before = await readLogs()
  const holder = new pg.Client(database.url)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from audit_log limit 1')
  const messages: string[] = []
  const killedUpgrade = upgrade((message) => messages.push(message)).catch(String)
  // The holder lets the new constraint wait, and then the new table.
  await expect.poll(() => messages.join('\n')).toContain('0053_log_partitions.sql waits for a lock')
  await pool.query(`insert into audit_log (action, resource) values ('create', 'offers')`)
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'karvon migrate'`)
  expect(await killedUpgrade).toMatch(/^Error: .*(?:terminat|connection error)/i)
  await holder.end()
  expect(await upgrade()).toContain('0053_log_partitions.sql')
  const [postbacks, audit = []] = await readLogs()
  expect(postbacks).toEqual(before[0])
  expect(audit).toHaveLength(422)
  await expectPartitionsOfYears()
})
