import type { ExploreQuery } from '@karvon/contract/explore/explore.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { duringBuild } from '../../../test/during-build.ts'
import { expectRecount } from '../../../test/explore-compare.ts'
import type { ExploreKey } from '../../../test/explore-recount.ts'
import {
  buildLead,
  openLeadDatabase,
  sourceStatuses,
  type LeadDatabase,
} from '../../../test/lead-database.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { buildChangedDays, buildDay } from './segments.jobs.ts'

let database: LeadDatabase
let source: number
let buyer: { userId: number; roleId: number }

beforeAll(async () => {
  database = await openLeadDatabase()
  source = await database.newSource()
  buyer = (await database.newBuyers(source, 1))[0] ?? buyer
})
afterAll(() => database.close())

/** Leads of 12 days. Some have a payout or a text that a segment does not store. */
const ingest = (seed: number, count: number) =>
  ingestLeads(database.db, {
    sourceId: source,
    origin: 'connector',
    leads: Array.from({ length: count }, (_, i) => {
      const n = (i * 7919 + seed * 104_729) % 1_000_003
      return buildLead(`lead ${n % 900}`, {
        source_status: sourceStatuses[n % sourceStatuses.length] ?? 'hold',
        payout: n % 401 === 7 ? '99999999.99' : `${n % 9}.${String(n % 97).padStart(2, '0')}`,
        created_at: new Date(Date.UTC(2026, 2, 1) + ((n % 900) % 288) * 3_600_000).toISOString(),
        updated_at: new Date(Date.UTC(2026, 6, 1) + seed * 60_000).toISOString(),
        offer: n % 5 === 0 ? null : `Offer ${n % 4}`,
        stream: n % 7 === 0 ? null : `Stream ${n % 9}`,
        region: n % 3 === 0 ? null : `Region ${n % 4}`,
        subs: {
          sub1: `s${n % 60}`,
          ...(n % 2 === 0 && { sub2: n % 503 === 8 ? 'x'.repeat(1500) : `t${n % 4}` }),
        },
      })
    }),
  })

const questions: [ExploreKey, ExploreKey][] = [
  ['sub1', 'stream'],
  ['hour', 'status'],
  ['region', 'day'],
  ['sub2', 'sub1'],
  ['buyer', 'status'],
  ['offer', 'region'],
  ['weekday', 'sub2'],
]
const filters: { query: ExploreQuery; condition: string }[] = [
  { query: {}, condition: 'true' },
  {
    query: { date_from: '2026-03-04', date_to: '2026-03-09' },
    condition: `l.day between '2026-03-04' and '2026-03-09'`,
  },
  { query: { without: 'region' }, condition: 'l.region is null' },
  { query: { sub1: ['s7'] }, condition: `l.subs ->> 'sub1' = 's7'` },
  {
    query: { region: ['new 1', 'new 2'], without: 'region', weekday: [1, 3, 5] },
    condition: `coalesce(l.region, 'new 1') in ('new 1', 'new 2') and extract(isodow from l.day) in (1, 3, 5)`,
  },
  { query: { weekday: [3] }, condition: 'extract(isodow from l.day) = 3' },
]

/** Compares the cells, and the rest and the totals, with a recount. */
async function compare(n: number): Promise<void> {
  const [rows, columns] = questions[n % questions.length] ?? ['sub1', 'stream']
  const { query, condition } = filters[n % filters.length] ?? { query: {}, condition: 'true' }
  const viewer = n % 4 === 3 ? buyer : null
  const top = n % 2 === 0 ? { top_rows: 200, top_columns: 50 } : { top_rows: 3, top_columns: 2 }
  await expectRecount(database, { keys: [rows, columns], query: { ...top, ...query }, condition, viewer })
}

const listChangedDays = async () =>
  (
    await database.pool.query<{ day: string }>(
      'select distinct day::text as day from lead_day_changes order by 1',
    )
  ).rows.map(({ day }) => day)

test('answers of Explore equal a recount after any changes before and after segments are built', async () => {
  const { pool, db } = database
  const changes = [
    `update leads set region = 'new ' || id % 3 where id % 89 = $1`,
    `update leads set created_at = created_at + interval '1 day', day = (created_at + interval '1 day')::date where id % 83 = $1`,
    'delete from leads where id % 79 = $1',
    `update streams set user_id = case when id % 3 = $1 % 3 then (select max(id) from users) end`,
    `update statuses set type_id = (select id from status_types where code is not null order by id offset $1 % 5 limit 1)
      where id = (select id from statuses order by id offset 1 limit 1)`,
  ]
  for (let round = 0; round < 24; round += 1) {
    if (round % 3 === 0) await ingest(round, 150)
    else await pool.query(changes[round % changes.length] ?? '', [round])
    if (round % 2 === 0) {
      const days = (await listChangedDays()).filter((_, at) => (at + round) % 4 !== 0)
      for (const day of days) await buildDay(db, day, { segmentSize: 50 })
    }
    await compare(round)
    await compare(round + 3)
  }
  while (await buildChangedDays(db));
  expect(await database.countRows('lead_day_changes')).toBe(0)
  expect(await database.countRows('leads')).toBe(
    (await pool.query<{ n: number }>('select sum(leads)::integer as n from lead_segments')).rows[0]?.n,
  )
  for (let n = 0; n < 14; n += 1) await compare(n)
})

test('a day whose segments cannot be built delays no other day', async () => {
  const { pool, db } = database
  await pool.query(`create function refuse_day() returns trigger language plpgsql as $$
    begin raise 'The day is refused'; end $$`)
  await pool.query(`create trigger refuse_day before insert on lead_segments
    for each row when (new.day = '2026-03-02') execute function refuse_day()`)
  await pool.query(`update leads set region = 'changed'`)
  await expect(buildChangedDays(db)).rejects.toMatchObject({ errors: [{ message: 'The day is refused' }] })
  expect(await listChangedDays()).toEqual(['2026-03-02'])
  await pool.query('drop function refuse_day cascade')
  await buildChangedDays(db)
  expect(await listChangedDays()).toEqual([])
})

/** Runs `work` with the pid of the backend that builds a day, after the day was cleared and before it is stored. */
const duringDayBuild = (day: string, work: (pid: number) => Promise<unknown>) =>
  duringBuild(database.pool, {
    table: 'lead_texts',
    lock: 'access exclusive',
    build: () => buildDay(database.db, day),
    work,
  })

test('answers of Explore stay exact after a change during a build of segments, a kill of the build and another time zone', async () => {
  const { pool, db } = database
  await ingest(1, 300)
  // All values fit into segments.
  await pool.query(`update leads set payout = id % 9, subs = jsonb_build_object('sub1', 's' || id % 9)`)
  while (await buildChangedDays(db));
  const day = '2026-03-05'
  const change = (region: string) =>
    pool.query(`update leads set region = $1 where day = $2 and id % 2 = 0`, [region, day])
  const compareAll = async () => {
    // The last one shows all regions.
    for (const n of [0, 1, 2, 3, 4, 5, 6, 40]) await compare(n)
  }

  await change('before')
  expect(await duringDayBuild(day, () => change('during'))).toBe('built')
  expect(await listChangedDays()).toEqual([day])
  await compareAll()

  const storedCount = await database.countRows('lead_segments')
  expect(await duringDayBuild(day, (pid) => pool.query('select pg_terminate_backend($1)', [pid]))).toBe(
    'failed',
  )
  expect([await listChangedDays(), await database.countRows('lead_segments')]).toEqual([[day], storedCount])
  await compareAll()
  await buildChangedDays(db)
  expect(await listChangedDays()).toEqual([])
  await compareAll()

  await pool.query(
    `update lead_segments set time_zone = 'America/New_York', hour = region, largest_payout = 0`,
  )
  await compareAll()
  await buildChangedDays(db)
  expect(await database.countRows(`lead_segments where time_zone = 'America/New_York'`)).toBe(0)
  await compareAll()
})
