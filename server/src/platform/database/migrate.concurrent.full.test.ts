import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TEST_TIMEZONE, createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { migrate } from './migrate.ts'

const program = fileURLToPath(new URL('../../../test/migrate-once.ts', import.meta.url))

let database: TestDatabase
let folder: string
const clients: pg.Client[] = []

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = createTemporaryFolder()
  writeMigration(
    '0001_orders.sql',
    'create table orders (id int, name text); insert into orders select n from generate_series(1, 1000) n',
  )
  await run()
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const writeMigration = (name: string, sql: string) => writeFileSync(join(folder, name), sql)
const run = (log?: (message: string) => void) =>
  migrate(database.url, {
    timezone: TEST_TIMEZONE,
    folder,
    lockTimeout: 200,
    ...(log !== undefined && { log }),
  })

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  // The drop of the database ends connections.
  client.on('error', () => {})
  await client.connect()
  clients.push(client)
  return client
}

/** Waits until a statement of the migration waits for a lock; the pid of its session. */
async function waitForBlockedMigration(client: pg.Client): Promise<number> {
  const text = `select pid from pg_stat_activity where datname = current_database() and application_name = 'karvon migrate'
    and wait_event_type = 'Lock'`
  const read = async () => (await client.query<{ pid: number }>(text)).rows[0]?.pid
  await expect.poll(read).toBeGreaterThan(0)
  return (await read()) ?? 0
}

const readIndexes = async (client: pg.Client) =>
  (
    await client.query<{ name: string; valid: boolean }>(
      `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = 'orders'::regclass order by 1`,
    )
  ).rows

const indexFile = `-- concurrent
-- Orders are found by their id.
create index concurrently if not exists orders_id on orders (id);
create unique index concurrently if not exists orders_id_name on orders (id, name);
`

test('a concurrent migration builds its indexes beside transactions that read and write', async () => {
  const [writer, otherClient] = [await connect(), await connect()]
  await writer.query('begin')
  await writer.query('insert into orders values (2000)')
  writeMigration('0002_orders_index.sql', indexFile)
  const migration = run()
  await waitForBlockedMigration(otherClient)
  await otherClient.query('insert into orders values (2001)')
  expect((await otherClient.query('select from orders where id = 2001')).rowCount).toBe(1)
  await writer.query('commit')
  expect(await migration).toEqual(['0002_orders_index.sql'])
  expect(await readIndexes(otherClient)).toEqual([
    { name: 'orders_id', valid: true },
    { name: 'orders_id_name', valid: true },
  ])
  expect(await run()).toEqual([])
})

test('a concurrent migration that was killed is resumed, and builds an invalid index anew', async () => {
  const [writer, otherClient] = [await connect(), await connect()]
  await writer.query('begin')
  await writer.query('insert into orders values (2000)')
  writeMigration('0002_orders_index.sql', indexFile)
  const migration = run().catch(String)
  const pid = await waitForBlockedMigration(otherClient)
  await otherClient.query('select pg_terminate_backend($1)', [pid])
  expect(await migration).toMatch(/0002_orders_index\.sql, line 3|Connection terminated/)
  await writer.query('commit')
  expect(await readIndexes(otherClient)).toEqual([{ name: 'orders_id', valid: false }])
  expect(await run()).toEqual(['0002_orders_index.sql'])
  expect((await readIndexes(otherClient)).map(({ valid }) => valid)).toEqual([true, true])
})

test('four simultaneous starts apply a concurrent migration once', async () => {
  writeMigration('0002_orders_index.sql', indexFile)
  const starts = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, [program, database.url, folder]),
  )
  const appliedNames = (await Promise.all(starts)).map(({ stdout }) => JSON.parse(stdout) as string[])
  expect(appliedNames.flat()).toEqual(['0002_orders_index.sql'])
})

test.each([
  ['create index orders_id on orders (id)'],
  ['create index concurrently orders_id on orders (id)'],
  ['update orders set name = id::text'],
  ['alter table orders add column day date'],
  ['drop index concurrently orders_id'],
])(
  'a concurrent migration with the statement %s is refused before its first statement',
  async (statement) => {
    writeMigration(
      '0002_mixed.sql',
      `-- concurrent\nanalyze orders;\ncreate index concurrently if not exists a on orders (id);\n${statement};`,
    )
    await expect(run()).rejects.toThrow(/0002_mixed\.sql, line 4: .* without the header/)
    expect(await readIndexes(await connect())).toEqual([])
  },
)

test('a concurrent migration validates a constraint and drops an index', async () => {
  writeMigration(
    '0002_named.sql',
    'alter table orders add constraint orders_named check (id > 0) not valid; create index old on orders (id)',
  )
  writeMigration(
    '0003_validate.sql',
    '-- concurrent\nalter table orders validate constraint orders_named;\ndrop index concurrently if exists old;\nanalyze orders;\n',
  )
  expect(await run()).toEqual(['0002_named.sql', '0003_validate.sql'])
  const client = await connect()
  expect(await readIndexes(client)).toEqual([])
  const { rows } = await client.query(`select convalidated from pg_constraint where conname = 'orders_named'`)
  expect(rows).toEqual([{ convalidated: true }])
})

test('a block of a concurrent migration commits its steps, blocks no calls while it waits, and continues', async () => {
  const [holder, caller] = [await connect(), await connect()]
  await holder.query('begin')
  await holder.query('select from orders')
  writeMigration(
    '0002_steps.sql',
    `-- concurrent
create or replace function steps() returns bigint language sql as 'select count(*) from orders where id = -1';
create or replace view negative as select * from orders where id < 0;
do $$
begin
  insert into orders values (-1);
  commit;
  lock table orders in access exclusive mode;
end $$;
`,
  )
  const messages: string[] = []
  const migration = run((message) => messages.push(message))
  await waitForBlockedMigration(caller)
  // The call waits behind the block until that one gives up its lock for the moment.
  expect((await caller.query('select from orders limit 1')).rowCount).toBe(1)
  await expect.poll(() => messages.length).toBeGreaterThan(0)
  await holder.query('commit')
  expect(await migration).toEqual(['0002_steps.sql'])
  const { rows } = await caller.query<{ steps: string; seen: boolean }>(
    'select steps(), steps() = (select count(*) from negative) as seen',
  )
  expect(Number(rows[0]?.steps)).toBeGreaterThan(1)
  expect(rows[0]?.seen).toBe(true)
})

test('a transaction that waits for its lock blocks no calls, and is repeated until it gets the lock', async () => {
  const [holder, caller] = [await connect(), await connect()]
  await holder.query('begin')
  await holder.query('select from orders')
  writeMigration('0002_day.sql', 'create table half (id int);\nalter table orders add column day date;')
  const messages: string[] = []
  const migration = run((message) => messages.push(message))
  await waitForBlockedMigration(caller)
  // The call waits behind the migration until that one gives up its lock for the moment.
  expect((await caller.query('select from orders limit 1')).rowCount).toBe(1)
  await expect.poll(() => messages.length).toBeGreaterThan(1)
  expect(messages[0]).toBe('Migration 0002_day.sql waits for a lock, attempt 1.')
  await holder.query('commit')
  expect(await migration).toEqual(['0002_day.sql'])
})
