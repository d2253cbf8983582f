import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { listLedgerDifferences } from '../../../test/ledger-differences.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import type { LeadInput } from '../leads/leads.types.ts'
import { foldLedgerDeltas } from './ledger.fold.queries.ts'
import { postQueuedLeads } from './ledger.leads.ts'

let database: LeadDatabase
const never = new AbortController().signal

beforeAll(async () => {
  database = await openLeadDatabase()
  // The check leaves out leads that wait in the queue, which a new database has for all leads.
  await postQueuedLeads(database.db, new AbortController().signal)
})
afterAll(() => database.close())

const newPerson = async (username: string): Promise<number> => {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into users (username, name, email, password_hash, role_id)
     select $1, $1, $1 || '@example.uz', 'x', id from roles where code = 'user' returning id`,
    [username],
  )
  return rows[0]?.id ?? 0
}
const newStream = async (sourceId: number, userId: number | null): Promise<number> => {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into streams (name, source_id, user_id) values ('Stream', $1, $2) returning id`,
    [sourceId, userId],
  )
  return rows[0]?.id ?? 0
}
const newTerms = (terms: {
  user_id?: number
  share?: number
  fixed?: number
  currency?: string
  hold_days?: number
}) =>
  database.db
    .insertInto('payout_terms')
    .values({
      user_id: terms.user_id ?? null,
      offer_id: null,
      valid_from: '2020-01-01',
      earned_at: 'sold',
      share: terms.share ?? null,
      fixed: terms.fixed ?? null,
      currency: terms.currency ?? null,
      hold_days: terms.hold_days ?? 0,
      minimum: 0,
      created_by: null,
    })
    .execute()
const ingest = (sourceId: number, ...leads: LeadInput[]) =>
  ingestLeads(database.db, { sourceId, leads, origin: 'connector' })

/** The sums of the entries of a source's leads, by kind of account and its id. */
async function sums(sourceId: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ text: string }>(
    `select account_kind || ' ' || ref_id || ' ' || sum(amount) || ' ' || e.currency as text
     from ledger_entries e join leads l on l.id = e.cause_id where cause_type = 'lead' and l.source_id = $1
     group by account_kind, ref_id, e.currency having sum(amount) <> 0 order by 1`,
    [sourceId],
  )
  return rows.map(({ text }) => text)
}
async function countEntries(sourceId: number): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::integer as n from ledger_entries e join leads l on l.id = e.cause_id where l.source_id = $1`,
    [sourceId],
  )
  return rows[0]?.n ?? -1
}
/** Gives the status of sold leads another type. */
const setSoldType = (code: string) =>
  database.pool.query(
    `update statuses set type_id = (select id from status_types where code = $1) where name = 'Sold'`,
    [code],
  )
async function expectProof(): Promise<void> {
  expect(await listLedgerDifferences(database.pool)).toEqual([])
}
const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00Z`
const lead = (source_status: string, hour: number, values: Partial<LeadInput> = {}) =>
  buildLead('a', { source_status, payout: '100', created_at: at(0), updated_at: at(hour), ...values })

test('a sold lead is owed by its network and to the owner of its stream, and a return takes it back', async () => {
  const [source, person] = [await database.newSource(), await newPerson('owner')]
  const stream_id = await newStream(source, person)
  await ingest(source, lead('sent', 1, { stream_id }))
  expect(await sums(source)).toEqual([])
  await ingest(source, lead('sold', 2, { stream_id }))
  expect(await sums(source)).toEqual([`network ${source} 100.00 UZS`, `person ${person} -100.00 UZS`])
  await ingest(source, lead('sold', 2, { stream_id }))
  expect(await countEntries(source)).toBe(2)
  await ingest(source, lead('sold', 3, { stream_id, payout: '120.50' }))
  expect(await sums(source)).toEqual([`network ${source} 120.50 UZS`, `person ${person} -120.50 UZS`])
  expect(await countEntries(source)).toBe(4)
  await ingest(source, lead('returned', 4, { stream_id, payout: '120.50' }))
  expect(await sums(source)).toEqual([])
  expect(await countEntries(source)).toBe(6)
  await expectProof()
})

test('the payout terms divide the payout, a fixed amount is exact, and the person keeps the first available day', async () => {
  const [source, person] = [await database.newSource(), await newPerson('shared')]
  await newTerms({ user_id: person, share: 33.33, hold_days: 14 })
  const stream_id = await newStream(source, person)
  await ingest(source, lead('sold', 1, { stream_id, payout: '100.01' }))
  expect(await sums(source)).toEqual([
    `margin 0 -66.68 UZS`,
    `network ${source} 100.01 UZS`,
    `person ${person} -33.33 UZS`,
  ])
  await ingest(source, lead('sold', 2, { stream_id, payout: '200' }))
  const { rows } = await database.pool.query<{ days: number; amount: number }>(
    `select available_on - current_date as days, sum(amount) as amount from ledger_entries
     where account_kind = 'person' and ref_id = $1 group by 1`,
    [person],
  )
  expect(rows).toEqual([{ days: 14, amount: -66.66 }])
  const fixedPerson = await newPerson('fixed')
  await newTerms({ user_id: fixedPerson, fixed: 150 })
  const otherSource = await database.newSource()
  await ingest(otherSource, lead('sold', 1, { stream_id: await newStream(otherSource, fixedPerson) }))
  expect(await sums(otherSource)).toEqual([
    `margin 0 50.00 UZS`,
    `network ${otherSource} 100.00 UZS`,
    `person ${fixedPerson} -150.00 UZS`,
  ])
  await expectProof()
})

test('a fixed amount with a currency is earned in it, whatever the currency of the lead is', async () => {
  const [source, person] = [await database.newSource(), await newPerson('euro')]
  await newTerms({ user_id: person, fixed: 150, currency: 'UZS' })
  const stream_id = await newStream(source, person)
  await ingest(source, lead('sold', 1, { stream_id, currency: 'USD' }))
  expect(await sums(source)).toEqual([
    `margin 0 -100.00 USD`,
    `margin 0 150.00 UZS`,
    `network ${source} 100.00 USD`,
    `person ${person} -150.00 UZS`,
  ])
  await ingest(source, lead('sold', 2, { stream_id, currency: 'UZS' }))
  expect(await sums(source)).toEqual([
    `margin 0 50.00 UZS`,
    `network ${source} 100.00 UZS`,
    `person ${person} -150.00 UZS`,
  ])
  await ingest(source, lead('returned', 3, { stream_id, currency: 'UZS' }))
  expect(await sums(source)).toEqual([])
  await expectProof()
})

test('the first owner of a stream gets the money of its earlier leads, and an owner who has earned keeps the money', async () => {
  const [source, first, second] = [
    await database.newSource(),
    await newPerson('first'),
    await newPerson('second'),
  ]
  const stream_id = await newStream(source, null)
  await ingest(source, lead('sold', 1, { stream_id }))
  expect(await sums(source)).toEqual([`margin 0 -100.00 UZS`, `network ${source} 100.00 UZS`])
  for (const owner of [first, second]) {
    await database.db.updateTable('streams').set({ user_id: owner }).where('id', '=', stream_id).execute()
    await postQueuedLeads(database.db, never)
    expect(await sums(source)).toEqual([`network ${source} 100.00 UZS`, `person ${first} -100.00 UZS`])
  }
  await ingest(
    source,
    lead('returned', 2, { stream_id }),
    buildLead('b', { source_status: 'sold', payout: '7', stream_id }),
  )
  expect(await sums(source)).toEqual([`network ${source} 7.00 UZS`, `person ${second} -7.00 UZS`])
  await expectProof()
})

test('a lead that its first owner no longer earns is that of the present owner, as a new lead is', async () => {
  const [source, first, second] = [
    await database.newSource(),
    await newPerson('past'),
    await newPerson('now'),
  ]
  await newTerms({ user_id: second, fixed: 30, currency: 'EUR' })
  const stream_id = await newStream(source, first)
  await ingest(source, lead('sold', 1, { stream_id }))
  await database.db.updateTable('streams').set({ user_id: second }).where('id', '=', stream_id).execute()
  await postQueuedLeads(database.db, never)
  await ingest(source, lead('sold', 2, { stream_id, payout: '0' }))
  expect(await sums(source)).toEqual(['margin 0 30.00 EUR', `person ${second} -30.00 EUR`])
  await expectProof()
})

test('a lead that was written while its stream got an owner is posted for the owner', async () => {
  const [source, person] = [await database.newSource(), await newPerson('meanwhile')]
  const stream_id = await newStream(source, null)
  let job: Promise<unknown> = Promise.resolve()
  await database.db.transaction().execute(async (trx) => {
    const leads = [lead('sold', 1, { stream_id })]
    await ingestLeads(trx, { sourceId: source, leads, origin: 'connector' })
    await database.db.updateTable('streams').set({ user_id: person }).where('id', '=', stream_id).execute()
    job = postQueuedLeads(database.db, never)
    await sleep(300)
  })
  await job
  expect(await sums(source)).toEqual([`network ${source} 100.00 UZS`, `person ${person} -100.00 UZS`])
  await expectProof()
})

test('a lead that moves behind the cursor of the job is posted', async () => {
  const [source, person] = [await database.newSource(), await newPerson('moved')]
  const stream_id = await newStream(source, person)
  const sold = (id: string, hour: number, values: Partial<LeadInput> = {}) =>
    buildLead(id, {
      source_status: 'sold',
      payout: '100',
      stream_id,
      created_at: at(hour),
      updated_at: at(9),
      ...values,
    })
  await ingest(source, sold('a', 5), sold('b', 6), sold('c', 7), sold('d', 8))
  for (const [code, hour, balances] of [
    ['send', 1, []],
    ['sold', 2, [`network ${source} 400.00 UZS`, `person ${person} -400.00 UZS`]],
  ] as const) {
    let job: Promise<unknown> = Promise.resolve()
    await database.db.transaction().execute(async (trx) => {
      // The job reads the first two leads, and waits for their lock.
      await trx
        .selectFrom('leads')
        .select('id')
        .where('source_id', '=', source)
        .where('external_id', '=', 'a')
        .forUpdate()
        .execute()
      await setSoldType(code)
      job = postQueuedLeads(database.db, never, { batchSize: 2 })
      await sleep(300)
      await ingest(source, sold('d', hour, { updated_at: at(10 + hour) }))
    })
    await job
    expect(await sums(source)).toEqual(balances)
  }
  await expectProof()
})

test('a status that changes its type moves the money of its leads', async () => {
  const [source, person] = [await database.newSource(), await newPerson('typed')]
  const stream_id = await newStream(source, person)
  await ingest(source, lead('sold', 1, { stream_id }))
  await setSoldType('send')
  await postQueuedLeads(database.db, never)
  expect(await sums(source)).toEqual([])
  await setSoldType('sold')
  await postQueuedLeads(database.db, never)
  expect(await sums(source)).toEqual([`network ${source} 100.00 UZS`, `person ${person} -100.00 UZS`])
  await expectProof()
})

test('a lead that leaves a status before the job posts its new type loses the money of the old type', async () => {
  const [source, person] = [await database.newSource(), await newPerson('leaving')]
  const stream_id = await newStream(source, person)
  await ingest(source, lead('sold', 1, { stream_id }))
  await setSoldType('send')
  await ingest(source, lead('sent', 2, { stream_id }))
  await postQueuedLeads(database.db, never)
  expect(await sums(source)).toEqual([])
  await setSoldType('sold')
  await postQueuedLeads(database.db, never)
  await expectProof()
})

test('the database refuses entries that do not sum to 0', async () => {
  await expect(
    database.pool.query(
      `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount)
       values ('adjustment', 1, 'paid', 0, 'UZS', 1), ('adjustment', 1, 'fees', 0, 'USD', -1)`,
    ),
  ).rejects.toThrow(/sum to 0/)
})

test('folding of ledger deltas changes no balance', async () => {
  await expectProof()
  while ((await foldLedgerDeltas(database.db, 3)) > 0) await expectProof()
  const { rows } = await database.pool.query<{ deltas: number; same: boolean }>(
    `select (select count(*)::integer from ledger_deltas) as deltas,
       (select entries from ledger_entry_count) = (select count(*) from ledger_entries) as same`,
  )
  expect(rows).toEqual([{ deltas: 0, same: true }])
})
