import type { ExploreQuery } from '@karvon/contract/explore/explore.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRecount } from '../../../test/explore-compare.ts'
import type { ExploreKey } from '../../../test/explore-recount.ts'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { buildChangedDays } from '../segments/segments.jobs.ts'

let database: LeadDatabase
let buyer: { userId: number; roleId: number }

const sourceStatuses = ['accepted', 'sent', 'sold', 'client_returned', 'hold', 'trash', 'strange']
const leadCount = 3000

/** Each lead has a sub1 and a sub2 of its own. So two subs have too many cells for one pass, and a sub with a stream has many. */
beforeAll(async () => {
  database = await openLeadDatabase()
  const source = await database.newSource()
  await ingestLeads(database.db, {
    sourceId: source,
    origin: 'connector',
    leads: Array.from({ length: leadCount }, (_, n) =>
      buildLead(`lead ${n}`, {
        source_status: sourceStatuses[n % sourceStatuses.length] ?? 'hold',
        payout: `${n % 9}.${String(n % 97).padStart(2, '0')}`,
        created_at: new Date(Date.UTC(2026, 2, 1) + (n % 480) * 3_600_000).toISOString(),
        offer: n % 5 === 0 ? null : `Offer ${n % 14}`,
        stream: n % 7 === 0 ? null : `Stream ${n % 19}`,
        region: n % 3 === 0 ? null : `Region ${n % 4}`,
        subs: { sub1: `s${n}`, ...(n % 2 === 0 && { sub2: `t${(n * 7) % leadCount}` }) },
      }),
    ),
  })
  const { rows } = await database.pool.query<{ userId: number; roleId: number }>(
    `with r as (insert into roles (name, code) values ('Buyer', 'buyer') returning id),
       a as (insert into role_source_access (role_id, source_id) select id, $1 from r)
     insert into users (username, name, email, password_hash, role_id)
     select 'buyer', 'Buyer', 'buyer@example.uz', '', id from r returning id as "userId", role_id as "roleId"`,
    [source],
  )
  buyer = rows[0] ?? buyer
  await database.pool.query('update streams set user_id = $1 where id % 2 = 0', [buyer.userId])
  while (await buildChangedDays(database.db));
  await database.pool.query(
    `update leads set payout = payout + 1, subs = jsonb_build_object('sub1', 'new ' || id) where id % 97 = 0`,
  )
})
afterAll(() => database.close())

const pairs: [ExploreKey, ExploreKey][] = [
  ['sub1', 'sub2'],
  ['sub1', 'stream'],
  ['stream', 'sub1'],
  ['day', 'sub1'],
  ['sub1', 'day'],
  ['sub2', 'offer'],
  ['sub1', 'buyer'],
  ['week', 'sub2'],
]
const filters: { query: ExploreQuery; condition: string }[] = [
  { query: {}, condition: 'true' },
  {
    query: { date_from: '2026-03-04', date_to: '2026-03-15' },
    condition: `l.day between '2026-03-04' and '2026-03-15'`,
  },
  {
    query: { date_from: '2026-03-12', date_to: '2026-03-18', compare: 'previous_period' },
    condition: `l.day between '2026-03-12' and '2026-03-18'`,
  },
  { query: { without: 'region' }, condition: 'l.region is null' },
  { query: { offer: [0, 3] }, condition: '(l.offer_id is null or l.offer_id = 3)' },
  { query: { sub1: ['s7', 's8', 'new 97'] }, condition: `l.subs ->> 'sub1' in ('s7', 's8', 'new 97')` },
  { query: { weekday: [3] }, condition: 'extract(isodow from l.day) = 3' },
]

test('answers with more cells than one pass adds up equal a recount, with margins from rollups and without', async () => {
  expect.hasAssertions()
  for (const [at, keys] of pairs.entries())
    for (const [n, { query, condition }] of filters.entries()) {
      const viewer = (at + n) % 3 === 2 ? buyer : null
      await expectRecount(database, {
        keys,
        query: { top_rows: 7, top_columns: 5, ...query },
        condition,
        viewer,
      })
    }
})
