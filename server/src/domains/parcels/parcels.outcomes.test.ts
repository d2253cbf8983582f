import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { buildParcelEvent } from '../../../test/parcel.ts'
import { postQueuedLeads } from '../ledger/ledger.leads.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { ingestParcels } from './parcels.ingest.ts'
import { importParcelFile } from './parcels.import.ts'
import { applyOutcomesToLateLeads, applyStoredOutcomes } from './parcels.late-leads.ts'
import { parcelBatch } from './parcels.store.ts'

let database: LeadDatabase
let source: number
let owner: number
let otherOwner: number

beforeAll(async () => {
  database = await openLeadDatabase()
  const [first, second] = await database.newBuyers(await database.newSource(), 2)
  owner = first?.userId ?? 0
  otherOwner = second?.userId ?? 0
})
beforeEach(async () => {
  source = await database.newSource()
})
afterAll(() => database.close())

const never = new AbortController().signal
const day = (n: number) => `2026-11-${n}T10:00:00Z`
const deliver = (orderno: string) =>
  ingestParcels(database.db, [buildParcelEvent(orderno, 'COMPLETE', { eventtime: day(20), owner_id: owner })])
const ingest = (id: string, source_status: string, at: string) =>
  ingestLeads(database.db, {
    sourceId: source,
    leads: [buildLead(id, { source_status, updated_at: at, stream: 'Stream', stream_extra_id: '1' })],
    origin: 'connector',
  })
const giveStreamTo = (userId: number) =>
  database.pool.query('update streams set user_id = $1 where source_id = $2', [userId, source])
const runJobs = async () => {
  await applyOutcomesToLateLeads(database.db, never)
  await postQueuedLeads(database.db, never, {
    batchSize: 2,
    applyOwner: (trx, ids) => applyStoredOutcomes(trx, { ids }),
  })
}
const readColumns = async () =>
  Object.fromEntries(
    (await database.storedLeads(source)).map(({ external_id, column }) => [external_id, column]),
  )

test('a final source status newer than the outcome takes precedence over it, in any order of arrival', async () => {
  const steps = {
    sent: (id: string) => ingest(id, 'sent', day(19)),
    returned: (id: string) => ingest(id, 'client_returned', day(21)),
    parcel: deliver,
    late: () => applyOutcomesToLateLeads(database.db, never),
  }
  for (const [n, order] of [
    ['sent', 'returned', 'parcel', 'late'],
    ['sent', 'parcel', 'returned', 'late'],
    ['sent', 'parcel', 'late', 'returned'],
    ['parcel', 'sent', 'returned', 'late'],
    ['parcel', 'sent', 'late', 'returned'],
  ].entries()) {
    const id = `order ${n}`
    for (const step of order as (keyof typeof steps)[]) await steps[step](id)
    expect(await readColumns(), order.join(', ')).toMatchObject({ [id]: 'returned' })
  }
})

test('the leads of a stream get the outcomes of the parcels of its new owner, and no newer status is replaced', async () => {
  for (const id of ['1', '2', '3', '4']) await ingest(id, 'sent', day(19))
  await giveStreamTo(otherOwner)
  await ingest('4', 'client_returned', day(21))
  for (const id of ['1', '3', '4']) await deliver(id)
  await runJobs()
  expect(await readColumns()).toEqual({ 1: 'send', 2: 'send', 3: 'send', 4: 'returned' })
  await giveStreamTo(owner)
  await runJobs()
  expect(await readColumns()).toEqual({ 1: 'sold', 2: 'send', 3: 'sold', 4: 'returned' })
  const { rows } = await database.pool.query<{ person: number; earned: number }>(
    `select ref_id as person, -sum(amount) as earned from ledger_entries where account_kind = 'person' group by 1`,
  )
  expect(rows).toEqual([{ person: owner, earned: 20 }])
})

test('an older outcome replaces a newer source status that is not final', async () => {
  await ingest('1', 'sent', day(19))
  await ingest('1', 'accepted', day(21))
  await deliver('1')
  expect(await readColumns()).toEqual({ 1: 'sold' })
})

test('the rows of an order in a file are applied at once, also where a batch would end between them', async () => {
  await ingest('1', 'sent', day(19))
  const rows = [
    ...Array.from({ length: parcelBatch - 1 }, (_, at) => `F-${at},NEW,${day(20)}`),
    `1,COMPLETE,${day(20)}`,
    `1,RETURNED,${day(21)}`,
  ]
  const path = join(createTemporaryFolder(), 'parcels.csv')
  await writeFile(path, ['orderno,status,event_time', ...rows].join('\n'))
  const answer = await importParcelFile(database.db, { path, extension: 'csv' })
  expect(answer).toMatchObject({ imported: parcelBatch, updated: 1, skipped: 0 })
  expect(await readColumns()).toEqual({ 1: 'returned' })
  const history = await database.pool.query<{ reason: string }>(
    `select h.reason from lead_history h join leads l on l.id = h.lead_id
     where l.source_id = $1 and h.origin = 'parcel'`,
    [source],
  )
  expect(history.rows).toEqual([{ reason: 'The parcel was returned' }])
})
