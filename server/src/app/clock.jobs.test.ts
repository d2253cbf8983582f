import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLeadDatabase, type LeadDatabase } from '../../test/lead-database.ts'
import { hour, minute } from '../../test/moment.ts'
import { passTime } from '../../test/pause.ts'
import { clockSetBackJob, dueTimeColumns } from './clock.jobs.ts'

let intake: LeadDatabase
const log: string[] = []

beforeAll(async () => {
  intake = await openLeadDatabase()
})
afterAll(() => intake.close())

const look = () =>
  clockSetBackJob({
    db: intake.db,
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  }).run(new AbortController().signal)
const secondsToCourier = async () =>
  (
    await intake.pool.query<{ seconds: number }>(
      'select extract(epoch from next_at - now())::float8 as seconds from courier_turns',
    )
  ).rows[0]?.seconds

test('every column that says from when on something may be done is moved', async () => {
  const { rows } = await intake.pool.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = current_schema() and column_name ~ '^(next_at|next_run_at|.*(leased|rests|paused|blocked)_until)$'
     group by table_name`,
  )
  const sorted = (columns: readonly string[]) => columns.toSorted()
  expect(Object.fromEntries(rows.map(({ table, columns }) => [table, sorted(columns)]))).toEqual(
    Object.fromEntries(Object.entries(dueTimeColumns).map(([table, columns]) => [table, sorted(columns)])),
  )
})

test('what was due in a minute is due in a minute after the clock was set back, and it is logged once', async () => {
  await look()
  await intake.pool.query(`update courier_turns set next_at = now() + interval '1 minute'`)
  await passTime(intake.pool, -3 * hour)
  await look()
  await look()
  expect(await secondsToCourier()).toBeLessThan(70)
  expect(await secondsToCourier()).toBeGreaterThan(20)
  expect(log.map((line) => (JSON.parse(line) as { msg: string }).msg.replace(/\d+/, 'n'))).toEqual([
    'The database’s clock was set back by n s',
  ])
})

test('a clock that was set forward, or back by less than a minute, moves nothing', async () => {
  await intake.pool.query(`update courier_turns set next_at = now() + interval '5 minutes'`)
  await look()
  await passTime(intake.pool, -minute / 2)
  await look()
  expect(await secondsToCourier()).toBeGreaterThan(300)
  await passTime(intake.pool, minute)
  await look()
  expect(await secondsToCourier()).toBeGreaterThan(250)
})
