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
import { buildNextSpan } from './segments.build-span.ts'
import { buildChangedDays, buildDay, buildSpans as runSpanBuilds } from './segments.jobs.ts'

let database: LeadDatabase
let source: number
let buyer: { userId: number; roleId: number }

beforeAll(async () => {
  database = await openLeadDatabase()
  source = await database.newSource()
  buyer = (await database.newBuyers(source, 1))[0] ?? buyer
  await ingest(0, 2000)
  await database.pool.query('update streams set user_id = $1 where id % 2 = 0', [buyer.userId])
})
afterAll(() => database.close())

const firstDay = Date.UTC(2026, 0, 1)
const dayCount = 160
const toDay = (n: number) => new Date(firstDay + n * 86_400_000).toISOString().slice(0, 10)

/** Leads of 160 days, which have whole spans of 8 and of 64 days. */
const ingest = (seed: number, count: number) =>
  ingestLeads(database.db, {
    sourceId: source,
    origin: 'connector',
    leads: Array.from({ length: count }, (_, i) => {
      const n = (i * 7919 + seed * 104_729) % 2003
      return buildLead(`lead ${n}`, {
        source_status: sourceStatuses[(n + seed) % sourceStatuses.length] ?? 'hold',
        payout: `${(n + seed) % 9}.${String(n % 97).padStart(2, '0')}`,
        created_at: new Date(firstDay + (n % dayCount) * 86_400_000).toISOString(),
        updated_at: new Date(Date.UTC(2026, 8, 1) + seed * 60_000).toISOString(),
        offer: n % 5 === 0 ? null : `Offer ${n % 4}`,
        stream: n % 7 === 0 ? null : `Stream ${n % 9}`,
      })
    }),
  })

const buildSpans = async () => {
  while (await buildNextSpan(database.db, { quietMinutes: 0 }));
}
const buildAll = async () => {
  while (await buildChangedDays(database.db));
  await buildSpans()
}

const questions: [ExploreKey, ExploreKey][] = [
  ['stream', 'status'],
  ['status', 'offer'],
  ['buyer', 'status'],
  ['status', 'source'],
  ['week', 'status'],
]

/** Compares a question over a period that depends on `n` with a recount. */
async function compare(n: number): Promise<void> {
  const viewer = n % 3 === 2 ? buyer : null
  const [from, until] = [toDay((n * 37) % 80), toDay(dayCount - ((n * 11) % 70))]
  const isAllTime = n % 4 === 0
  const period = isAllTime ? {} : { date_from: from, date_to: until }
  const hasOffer = n % 7 === 3
  const top = n % 2 === 0 ? { top_rows: 200, top_columns: 50 } : { top_rows: 3, top_columns: 2 }
  const query: ExploreQuery = { ...period, ...top, ...(hasOffer && { offer: [0, 2, 3] }) }
  const days = isAllTime ? 'true' : `l.day between '${from}' and '${until}'`
  const condition = `${days}${hasOffer ? ' and (l.offer_id is null or l.offer_id in (2, 3))' : ''}`
  await expectRecount(database, {
    keys: questions[n % questions.length] ?? ['stream', 'status'],
    query,
    condition,
    viewer,
  })
}

test('answers from spans equal a recount, and spans are read instead of their days', async () => {
  await buildAll()
  expect(await database.countRows('lead_spans where days = 8')).toBeGreaterThan(19)
  expect(await database.countRows('lead_spans where days = 64')).toBeGreaterThan(1)
  for (let n = 0; n < 40; n += 1) await compare(n)
  // Wrong statuses in all days of a span would change an answer that reads them.
  await database.pool.query(`update lead_segments set status = decode(repeat('07', leads), 'hex')`)
  await expectRecount(database, { keys: ['stream', 'status'], query: {}, condition: 'true', viewer: null })
  await expect(
    expectRecount(database, {
      keys: ['week', 'status'],
      query: { offer: [2] },
      condition: 'l.offer_id = 2',
      viewer: null,
    }),
  ).rejects.toThrow('"rows":"week"')
  await database.pool.query('insert into lead_day_changes (day) select distinct day from leads')
})

test('a span is not read after one of its days was changed or built again', async () => {
  const { pool, db } = database
  await buildAll()
  const storedCount = await database.countRows('lead_spans')
  const days = [toDay(20), toDay(90)]
  await pool.query('update leads set payout = payout + 5 where day = any($1::date[])', [days])
  for (let n = 0; n < 20; n += 1) await compare(n)
  for (const day of days) await buildDay(db, day)
  // The spans that are out of date are still stored.
  expect([await database.countRows('lead_spans'), await database.countRows('lead_day_changes')]).toEqual([
    storedCount,
    0,
  ])
  for (let n = 0; n < 20; n += 1) await compare(n)
  await pool.query('delete from leads where day = $1', [days[0]])
  await buildDay(db, days[0] ?? '')
  for (let n = 0; n < 20; n += 1) await compare(n)
  await buildSpans()
  expect(await database.countRows('lead_spans')).toBe(storedCount)
  for (let n = 0; n < 20; n += 1) await compare(n)
})

test('answers of Explore equal a recount after any changes, while segments and spans are built', async () => {
  const { pool, db } = database
  const changes = [
    'update leads set payout = payout + 1.37 where id % 89 = $1',
    `update leads set created_at = created_at + interval '1 day', day = (created_at + interval '1 day')::date where id % 83 = $1`,
    'delete from leads where id % 79 = $1',
    'update streams set user_id = case when user_id is null and id % 3 = $1 % 3 then (select max(id) from users) end',
    `update statuses set type_id = (select id from status_types where code is not null order by id offset $1 % 5 limit 1)
     where id = (select id from statuses order by id offset 1 limit 1)`,
  ]
  for (let round = 1; round < 18; round += 1) {
    if (round % 4 === 0) await ingest(round, 60)
    else await pool.query(changes[round % changes.length] ?? '', [round])
    const { rows } = await pool.query<{ day: string }>(
      'select distinct day::text as day from lead_day_changes order by 1',
    )
    for (const { day } of rows.filter((_, at) => (at + round) % 3 !== 0)) await buildDay(db, day)
    if (round % 3 === 0) await buildSpans()
    else await buildNextSpan(db, { quietMinutes: 0 })
    await compare(round)
    await compare(round + 3)
  }
  expect(await database.countRows('lead_spans')).toBeGreaterThan(20)
})

test('a span that cannot be built delays no other span', async () => {
  const { pool, db } = database
  await buildAll()
  const readSpanDays = async () =>
    (await pool.query<{ day: string }>('select day::text, days from lead_spans order by 1, 2')).rows
  const spanDays = await readSpanDays()
  await pool.query(`create function refuse_span() returns trigger language plpgsql as $$
    begin raise 'The span is refused'; end $$`)
  await pool.query(`create trigger refuse_span before insert on lead_spans
    for each row when (new.day = '${spanDays[0]?.day}') execute function refuse_span()`)
  await pool.query('delete from lead_spans')
  await expect(runSpanBuilds(db, { quietMinutes: 0, pause: 0 })).rejects.toMatchObject({
    errors: [{ message: 'The span is refused' }],
  })
  expect(await database.countRows('lead_spans where days = 8')).toBeGreaterThan(18)
  await pool.query('drop function refuse_span cascade')
  await buildSpans()
  expect(await readSpanDays()).toEqual(spanDays)
})

/** Runs `work` with the pid of the backend that builds a span, before the span is stored. */
const duringSpanBuild = (work: (pid: number) => Promise<unknown>) =>
  duringBuild(database.pool, {
    table: 'lead_spans',
    lock: 'share',
    build: () => buildNextSpan(database.db, { quietMinutes: 0 }),
    work,
  })

test('answers of Explore stay exact after a kill while a span is built, and after a change of its days', async () => {
  const { pool, db } = database
  await buildAll()
  const day = toDay(50)
  const changeDay = async () => {
    await pool.query('update leads set payout = payout + 3 where day = $1', [day])
    await buildDay(db, day)
  }
  const compareAll = async () => {
    for (let n = 0; n < 10; n += 1) await compare(n)
  }
  await changeDay()
  const storedSpans = await pool.query('select day, days, builds from lead_spans order by 1, 2')
  expect(await duringSpanBuild((pid) => pool.query('select pg_terminate_backend($1)', [pid]))).toBe('failed')
  expect((await pool.query('select day, days, builds from lead_spans order by 1, 2')).rows).toEqual(
    storedSpans.rows,
  )
  await compareAll()
  expect(await duringSpanBuild(changeDay)).toBe('built')
  await compareAll()
  await buildSpans()
  await compareAll()
})
