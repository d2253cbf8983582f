import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { compareLedger } from './ledger.check.queries.ts'
import { foldLedgerDeltas } from './ledger.fold.queries.ts'
import { postQueuedLeads } from './ledger.leads.ts'

let database: LeadDatabase
/** Ids of people, with the percentage of a payout that each earns. */
const shares = new Map<number, number>()

beforeAll(async () => {
  database = await openLeadDatabase()
  // The check leaves out leads that wait in the queue, which a new database has for all leads.
  await postQueuedLeads(database.db, new AbortController().signal)
  for (const share of [100, 77.77, 33.33]) {
    const { rows } = await database.pool.query<{ id: number }>(
      `with person as (
         insert into users (username, name, email, password_hash, role_id)
         select $1, $1, $1 || '@example.uz', 'x', id from roles where code = 'user' returning id)
       insert into payout_terms (user_id, valid_from, earned_at, share, hold_days, minimum)
       select id, '2020-01-01', 'sold', $2, 7, 0 from person returning user_id as id`,
      [`earns-${share}`, share],
    )
    shares.set(rows[0]?.id ?? 0, share)
  }
})
afterAll(() => database.close())

type Step =
  | { kind: 'report'; lead: number; stream: number; status: string; payout: number; hour: number }
  | { kind: 'owner'; stream: number; person: number }
  | { kind: 'fold'; deltas: number }

const number = (max: number) => fc.integer({ min: 0, max })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      lead: number(5),
      stream: number(1),
      status: fc.constantFrom('sent', 'sold', 'sold', 'returned', 'trash', 'unknown'),
      payout: number(300_000),
      hour: number(23),
    }),
  },
  {
    weight: 3,
    // The person after the last one is nobody.
    arbitrary: fc.record({ kind: fc.constant('owner' as const), stream: number(1), person: number(3) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('fold' as const), deltas: fc.integer({ min: 1, max: 5 }) }),
  },
)

interface StoredLead {
  id: number
  code: string | null
  payout: number
  owner: number | null
}

/** What a lead earned, in hundredths, counted without the ledger. */
interface Earned {
  person: number | null
  part: number
  payout: number
}

/** The rule in other words: whoever owns the stream when a lead begins to count as sold keeps it while it does. */
function earn(lead: StoredLead, before: Earned | undefined): Earned {
  if (lead.code !== 'sold') return { person: null, part: 0, payout: 0 }
  const payout = Math.round(lead.payout * 100)
  const person = before !== undefined && before.part !== 0 ? before.person : lead.owner
  const part =
    person === null ? 0 : Math.round((payout * Math.round((shares.get(person) ?? 0) * 100)) / 10_000)
  return { person, part, payout }
}

test('the balances of any history of leads and owners equal an independent recount, and entries sum to 0', async () => {
  const histories = fc.array(step, { minLength: 5, maxLength: 40 })
  const result = await fc.check(fc.asyncProperty(histories, playHistory), { numRuns: 20 })
  expect(fc.defaultReportMessage(result)).toBeUndefined()
})

async function playHistory(steps: readonly Step[]): Promise<void> {
  const { db, pool } = database
  const sourceId = await database.newSource()
  const streams: number[] = []
  for (const name of ['A', 'B']) {
    const row = await db
      .insertInto('streams')
      .values({ name, source_id: sourceId, user_id: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    streams.push(row.id)
  }
  const people = [...shares.keys()]
  const earned = new Map<number, Earned>()
  for (const each of steps) {
    if (each.kind === 'fold') await foldLedgerDeltas(db, each.deltas)
    if (each.kind === 'owner') {
      const owner = people[each.person] ?? null
      await db
        .updateTable('streams')
        .set({ user_id: owner })
        .where('id', '=', streams[each.stream] ?? 0)
        .execute()
      await postQueuedLeads(db, new AbortController().signal)
    }
    if (each.kind === 'report') {
      const time = `2026-03-01T${String(each.hour).padStart(2, '0')}:00:00Z`
      const lead = buildLead(`lead-${each.lead}`, {
        source_status: each.status,
        payout: (each.payout / 100).toFixed(2),
        created_at: '2026-03-01T00:00:00Z',
        updated_at: time,
        stream_id: streams[each.stream] ?? 0,
      })
      await ingestLeads(db, { sourceId, leads: [lead], origin: 'connector' })
    }
    const { rows } = await pool.query<StoredLead>(
      `select l.id, t.code, l.payout, st.user_id as owner from leads l left join streams st on st.id = l.stream_id
       left join statuses s on s.id = l.status_id left join status_types t on t.id = s.type_id where l.source_id = $1`,
      [sourceId],
    )
    for (const lead of rows) earned.set(lead.id, earn(lead, earned.get(lead.id)))
  }
  await expectBalances(sourceId, [...earned.values()])
}

async function expectBalances(sourceId: number, earned: readonly Earned[]): Promise<void> {
  const { rows } = await database.pool.query<{ account: string; amount: number }>(
    `select e.account_kind || ' ' || e.ref_id as account, (sum(e.amount) * 100)::bigint as amount
     from ledger_entries e join leads l on l.id = e.cause_id where e.cause_type = 'lead' and l.source_id = $1
     group by 1 having sum(e.amount) <> 0`,
    [sourceId],
  )
  const expected = new Map<string, number>()
  const add = (account: string, amount: number) =>
    expected.set(account, (expected.get(account) ?? 0) + amount)
  for (const { person, part, payout } of earned) {
    add(`network ${sourceId}`, payout)
    if (person !== null) add(`person ${person}`, -part)
    add('margin 0', part - payout)
  }
  const nonZero = [...expected].filter(([, amount]) => amount !== 0)
  expect(new Map(rows.map(({ account, amount }) => [account, amount]))).toEqual(new Map(nonZero))
  const client = await database.pool.connect()
  try {
    expect((await compareLedger(client)).filter(({ differing }) => differing > 0)).toEqual([])
  } finally {
    client.release()
  }
}
