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
import { findChangedDays } from './segments.build.queries.ts'
import { buildChangedDays, buildDay } from './segments.jobs.ts'
import { readSegments } from './segments.read.queries.ts'
import { readSlices } from './segments.slices.queries.ts'

let database: LeadDatabase
let sources: number[]
let buyers: { userId: number; roleId: number }[]

const dayCount = 6
const toDay = (n: number) => new Date(Date.UTC(2026, 2, 1 + n)).toISOString().slice(0, 10)
const days = Array.from({ length: dayCount }, (_, n) => toDay(n))

/** Leads of 6 days and 8 streams; some have no stream. */
const ingest = (sourceId: number, seed: number, count: number) =>
  ingestLeads(database.db, {
    sourceId,
    origin: 'connector',
    leads: Array.from({ length: count }, (_, i) => {
      const n = (i * 7919 + seed * 104_729) % 100_003
      return buildLead(`lead ${n % 500}`, {
        source_status: sourceStatuses[n % sourceStatuses.length] ?? 'hold',
        payout: `${n % 9}.${String(n % 97).padStart(2, '0')}`,
        created_at: new Date(Date.UTC(2026, 2, 1 + (n % dayCount), n % 18)).toISOString(),
        updated_at: new Date(Date.UTC(2026, 6, 1) + seed * 60_000).toISOString(),
        offer: `Offer ${n % 4}`,
        stream: n % 9 === 8 ? null : `Stream ${n % 9}`,
        subs: { sub1: `s${n % 30}` },
      })
    }),
  })

beforeAll(async () => {
  database = await openLeadDatabase()
  sources = [await database.newSource(), await database.newSource()]
  buyers = await database.newBuyers(sources[0] ?? 0, 3)
  for (const source of sources) await ingest(source, 0, 400)
})
afterAll(() => database.close())

/** Gives the streams of this number to a person, or to nobody. */
const moveStream = (stream: number, buyer: number | null) =>
  database.pool.query('update streams set user_id = $1 where name = $2', [
    buyer === null ? null : buyers[buyer]?.userId,
    `Stream ${stream}`,
  ])
const buildAll = async () => {
  while (await buildChangedDays(database.db));
}

const pairs: [ExploreKey, ExploreKey][] = [
  ['day', 'status'],
  ['hour', 'stream'],
  ['day', 'offer'],
  ['status', 'week'],
  ['sub1', 'weekday'],
]

/** Compares answers about each person, as the person and as an admin, and about a stream, with a recount. */
async function expectEqual(at: number): Promise<void> {
  const [rows, columns] = pairs[at % pairs.length] ?? ['day', 'status']
  const ask = (query: ExploreQuery, condition: string, viewer: (typeof buyers)[number] | null) =>
    expectRecount(database, {
      keys: [rows, columns],
      query: { top_rows: 60, top_columns: 20, ...query },
      condition,
      viewer,
    })
  for (const viewer of buyers) {
    await ask({}, 'true', viewer)
    await ask({ buyer: [viewer.userId] }, `t.user_id = ${viewer.userId}`, null)
  }
  const { rows: streams } = await database.pool.query<{ id: number }>(
    'select id from streams order by id offset $1 limit 1',
    [at % 16],
  )
  const stream = streams[0]?.id ?? 0
  await ask({ stream: [stream] }, `t.id = ${stream}`, null)
  await ask({ stream: [stream] }, `t.id = ${stream}`, buyers[at % 3] ?? null)
  await ask({ buyer: [0] }, 't.user_id is null', null)
  await ask({ stream: [0] }, 'l.stream_id is null', null)
  const two = buyers.slice(0, 2).map(({ userId }) => userId)
  await ask({ buyer: two }, `t.user_id in (${two.join(', ')})`, null)
  await ask(
    { buyer: two, stream: [stream, stream + 1, stream + 2] },
    `t.user_id in (${two.join(', ')})
    and t.id between ${stream} and ${stream + 2}`,
    null,
  )
}

const expectAllEqual = async () => {
  for (const at of pairs.keys()) await expectEqual(at)
}

test('own leads equal a recount while streams change their owners and days are built', async () => {
  await moveStream(1, 0)
  await moveStream(2, 0)
  await moveStream(3, 1)
  await buildAll()
  const moves: [number, number | null][] = [
    [1, 1],
    [4, 0],
    [1, 0],
    [2, null],
    [3, 2],
    [1, 2],
    [3, 1],
    [2, 1],
    [5, 2],
    [4, 1],
    [1, null],
    [4, 0],
  ]
  for (const [at, [stream, buyer]] of moves.entries()) {
    await moveStream(stream, buyer)
    if (at % 3 === 1) await ingest(sources[at % 2] ?? 0, at, 40)
    if (at % 2 === 0) await buildDay(database.db, days[at % dayCount] ?? '', { segmentSize: 37 })
    await expectEqual(at)
  }
  await expectAllEqual()
  await buildAll()
  expect(await findChangedDays(database.db, 1)).toEqual([])
  await expectAllEqual()
})

/** How many leads a question about the streams of a person reads. */
async function countRead(buyer: number): Promise<number> {
  const slices = await readSlices(database.db, {
    owners: [[buyers[buyer]?.userId ?? 0]],
    streams: undefined,
  })
  let leads = 0
  for await (const segment of readSegments(database.db, { days, columns: ['stream'], slices }))
    leads += segment.leads
  return leads
}
const countOwn = async (buyer: number) =>
  (
    await database.pool.query<{ n: number }>(
      'select count(*)::integer as n from leads l join streams t on t.id = l.stream_id where t.user_id = $1',
      [buyers[buyer]?.userId],
    )
  ).rows[0]?.n ?? 0
const rebuildDays = async () => {
  for (const day of days) await buildDay(database.db, day)
}

test('a person’s question reads only the leads of own streams, and those of former owners until days are built again', async () => {
  await database.pool.query('update streams set user_id = null')
  await moveStream(1, 0)
  await moveStream(2, 1)
  await rebuildDays()
  const ownCount = await countOwn(0)
  expect(ownCount).toBeGreaterThan(20)
  expect([await countRead(0), await countRead(1)]).toEqual([ownCount, await countOwn(1)])

  await moveStream(2, 0)
  await moveStream(3, 1)
  // The streams are in the slice of the former owner, and in a slice of their own.
  expect(await countRead(0)).toBe(await countOwn(0))
  expect(await countRead(1)).toBe((await countOwn(0)) - ownCount + (await countOwn(1)))
  await expectAllEqual()
  await rebuildDays()
  expect([await countRead(0), await countRead(1)]).toEqual([await countOwn(0), await countOwn(1)])
})

test('answers of Explore stay exact when the owner of a stream changes while segments are built, and when the build is killed', async () => {
  const { pool, db } = database
  const duringDayBuild = (work: (pid: number) => Promise<unknown>) =>
    duringBuild(pool, {
      table: 'lead_texts',
      lock: 'access exclusive',
      build: () => buildDay(db, days[2] ?? ''),
      work,
    })
  await rebuildDays()
  expect(await duringDayBuild(() => moveStream(4, 2))).toBe('built')
  await expectAllEqual()
  expect(
    await duringDayBuild(async (pid) => {
      await moveStream(4, 1)
      await pool.query('select pg_terminate_backend($1)', [pid])
    }),
  ).toBe('failed')
  await expectAllEqual()
})

test('segments without slices are read as a whole, and built again after the days that changed', async () => {
  const { pool, db } = database
  await pool.query(
    'update lead_segments set slices = null, slice_starts = null, owner_change = null where day < $1',
    [days[3]],
  )
  await moveStream(5, 0)
  await pool.query('update leads set payout = payout + 1 where day = $1', [days[4]])
  await expectAllEqual()
  expect(await findChangedDays(db, 2)).toEqual([days[4], days[0]])
  await buildAll()
  const { rows } = await pool.query('select day from lead_segments where slices is null')
  expect(rows).toEqual([])
  await expectAllEqual()
})

test('answers of Explore stay exact after a stream is deleted, and with segments of another time zone', async () => {
  const { pool } = database
  await moveStream(6, 1)
  await rebuildDays()
  await pool.query(
    `update leads set stream_id = null where stream_id in (select id from streams where name = 'Stream 6')`,
  )
  await pool.query(`delete from streams where name = 'Stream 6'`)
  await expectEqual(0)
  await rebuildDays()
  await expectEqual(2)
  await pool.query(`update lead_segments set time_zone = 'America/New_York', hour = region`)
  await expectEqual(1)
  await buildAll()
  expect(await countRead(1)).toBe(await countOwn(1))
  await expectAllEqual()
})
