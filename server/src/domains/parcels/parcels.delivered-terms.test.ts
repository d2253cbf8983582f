import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { listLedgerDifferences } from '../../../test/ledger-differences.ts'
import { buildParcelEvent } from '../../../test/parcel.ts'
import type { Db } from '../../platform/database/pool.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { postQueuedLeads } from '../ledger/ledger.leads.ts'
import { ingestParcels } from './parcels.ingest.ts'
import { applyOutcomesToLateLeads } from './parcels.late-leads.ts'

// Payout terms with earned_at 'delivered': a lead is earned when it is sold and its parcel is delivered.

let database: LeadDatabase
let source: number
let stream_id: number
let person: number
let otherPerson: number

const insertRow = async (text: string, values: unknown[]): Promise<number> =>
  (await database.pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]?.id ?? 0
const createPerson = (username: string) =>
  insertRow(
    `insert into users (username, name, email, password_hash, role_id)
     select $1, $1, $1 || '@example.uz', 'x', id from roles where code = 'user'`,
    [username],
  )

beforeAll(async () => {
  database = await openLeadDatabase()
  // The check leaves out leads that wait in the queue, which a new database has for all leads.
  await postQueuedLeads(database.db, new AbortController().signal)
  person = await createPerson('earner')
  otherPerson = await createPerson('other')
  await insertRow(
    `insert into payout_terms (valid_from, earned_at, share, hold_days, minimum)
     values ('2020-01-01', 'delivered', 100, 0, 0)`,
    [],
  )
})
beforeEach(async () => {
  source = await database.newSource()
  stream_id = await insertRow(`insert into streams (name, source_id, user_id) values ('Stream', $1, $2)`, [
    source,
    person,
  ])
})
afterAll(() => database.close())

const day = (n: number) => `2026-11-${n}T10:00:00Z`
const deliver = (db: Db, orderno: string, owner_id: number | null = null, status = 'COMPLETE', at = 20) =>
  ingestParcels(db, [buildParcelEvent(orderno, status, { eventtime: day(at), owner_id })])
const ingest = (db: Db, id: string, source_status = 'sold') =>
  ingestLeads(db, {
    sourceId: source,
    leads: [
      buildLead(id, {
        source_status,
        payout: '100',
        stream_id,
        updated_at: day(source_status === 'sold' ? 19 : 18),
      }),
    ],
    origin: 'connector',
  })
async function readEarned(): Promise<number> {
  const { rows } = await database.pool.query<{ earned: number }>(
    `select coalesce(-sum(amount), 0) as earned from ledger_entries e join leads l on l.id = e.cause_id
     where cause_type = 'lead' and account_kind = 'person' and l.source_id = $1`,
    [source],
  )
  return rows[0]?.earned ?? Number.NaN
}
async function expectProof(): Promise<void> {
  expect(await listLedgerDifferences(database.pool)).toEqual([])
}

/** Runs `first` in an open transaction, starts `second` meanwhile, and commits. */
async function overlap(first: (db: Db) => Promise<unknown>, second: (db: Db) => Promise<unknown>) {
  let secondWork: Promise<unknown> = Promise.resolve()
  await database.db.transaction().execute(async (trx) => {
    await first(trx)
    secondWork = second(database.db)
    await sleep(200)
  })
  await secondWork
}

test('a sold lead is earned when a parcel of its person or without an owner is delivered, and not by a parcel of another person', async () => {
  await ingest(database.db, 'A1')
  await deliver(database.db, 'A1', otherPerson)
  expect(await readEarned()).toBe(0)
  await deliver(database.db, 'A1', person)
  expect(await readEarned()).toBe(100)
  await deliver(database.db, 'A1', person, 'CANCELED', 21)
  expect(await readEarned()).toBe(0)
  await expectProof()
})

test('a returned parcel of the person who has earned a lead returns it, also after its stream got another owner', async () => {
  await ingest(database.db, 'A2')
  await deliver(database.db, 'A2', person)
  expect(await readEarned()).toBe(100)
  await database.pool.query('update streams set user_id = $1 where id = $2', [otherPerson, stream_id])
  await postQueuedLeads(database.db, new AbortController().signal)
  await deliver(database.db, 'A2', otherPerson, 'DELIVERY')
  expect(await readEarned()).toBe(100)
  await deliver(database.db, 'A2', person, 'CANCELED', 21)
  expect(await readEarned()).toBe(0)
  expect(await database.storedLeads(source)).toMatchObject([{ external_id: 'A2', column: 'returned' }])
  await expectProof()
})

test('a lead that is sold while its parcel is delivered is earned, whichever commits first', async () => {
  for (const id of ['B1', 'B2']) await ingest(database.db, id, 'sent')
  await overlap(
    (db) => ingest(db, 'B1'),
    (db) => deliver(db, 'B1'),
  )
  expect(await readEarned()).toBe(100)
  await overlap(
    (db) => deliver(db, 'B2'),
    (db) => ingest(db, 'B2'),
  )
  expect(await readEarned()).toBe(200)
  await expectProof()
})

test('a lead that is inserted as sold while its parcel is delivered is earned after the job for late leads', async () => {
  await overlap(
    (db) => ingest(db, 'C1'),
    (db) => deliver(db, 'C1'),
  )
  expect(await readEarned()).toBe(0)
  await applyOutcomesToLateLeads(database.db, new AbortController().signal)
  expect(await readEarned()).toBe(100)
  await expectProof()
})
