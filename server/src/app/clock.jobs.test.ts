import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLeadDatabase, type LeadDatabase } from '../../test/lead-database.ts'
import { hour, minute } from '../../test/moment.ts'
import { passTime } from '../../test/pass-time.ts'
import { clockSetBackJob } from './clock.jobs.ts'
import { dueTimeColumns } from './clock.queries.ts'

let database: LeadDatabase
const log: string[] = []

beforeAll(async () => {
  database = await openLeadDatabase()
})
afterAll(() => database.close())

const runJob = () =>
  clockSetBackJob({
    db: database.db,
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  }).run(new AbortController().signal)
const secondsToCourier = async () =>
  (
    await database.pool.query<{ seconds: number }>(
      'select extract(epoch from next_at - now())::float8 as seconds from courier_rate_limit',
    )
  ).rows[0]?.seconds

test('the list of due times names every such column of the database', async () => {
  const { rows } = await database.pool.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = current_schema() and column_name ~ '^(next_at|next_run_at|.*(leased|paused|blocked)_until)$'
     group by table_name`,
  )
  const sortColumns = (columns: readonly string[]) => columns.toSorted()
  expect(Object.fromEntries(rows.map(({ table, columns }) => [table, sortColumns(columns)]))).toEqual(
    Object.fromEntries(
      Object.entries(dueTimeColumns).map(([table, columns]) => [table, sortColumns(columns)]),
    ),
  )
})

test('after the clock was set back, due times keep their distance, and it is logged once', async () => {
  await runJob()
  await database.pool.query(`update courier_rate_limit set next_at = now() + interval '1 minute'`)
  await passTime(database.pool, -3 * hour)
  await runJob()
  await runJob()
  expect(await secondsToCourier()).toBeLessThan(70)
  expect(await secondsToCourier()).toBeGreaterThan(20)
  expect(log.map((line) => (JSON.parse(line) as { msg: string }).msg.replace(/\d+/, 'n'))).toEqual([
    'The database’s clock was set back by n s',
  ])
})

test('after the clock was set back, a link by mail and a code for a chat end at their time', async () => {
  const { pool } = database
  await runJob()
  await pool.query(`with person as (
      insert into users (username, name, email, password_hash, role_id)
      select 'gulnora', 'Gulnora', 'gulnora@example.uz', 'x', min(id) from roles returning id
    ), link as (
      insert into reset_links (token_hash, user_id, expires_at) select 'a', id, now() + interval '1 hour' from person
    )
    insert into telegram_links (user_id, code, code_until) select id, 'CODE', now() + interval '15 minutes' from person`)
  await passTime(pool, -3 * hour)
  await runJob()
  const { rows } =
    await pool.query(`select (select max(expires_at) from reset_links) <= now() + interval '62 minutes' as link,
    (select max(code_until) from telegram_links) <= now() + interval '17 minutes' as code`)
  expect(rows).toEqual([{ link: true, code: true }])
})

test('a clock that was set forward, or back by less than a minute, shifts nothing', async () => {
  await database.pool.query(`update courier_rate_limit set next_at = now() + interval '5 minutes'`)
  await runJob()
  await passTime(database.pool, -minute / 2)
  await runJob()
  expect(await secondsToCourier()).toBeGreaterThan(300)
  await passTime(database.pool, minute)
  await runJob()
  expect(await secondsToCourier()).toBeGreaterThan(250)
})
