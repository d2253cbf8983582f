import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { buildParcelEvent } from '../../../test/parcel.ts'
import type { Db } from '../../platform/database/pool.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { overrideLeadStatus } from '../leads/leads.override.queries.ts'
import { applyOutcomesToLateLeads } from './parcels.late-leads.ts'
import { ingestParcels } from './parcels.ingest.ts'

let database: LeadDatabase
let source: number

beforeAll(async () => {
  database = await openLeadDatabase()
})
beforeEach(async () => {
  source = await database.newSource()
})
afterAll(() => database.close())

const quiet = new AbortController().signal
const applyLateOutcomes = () => applyOutcomesToLateLeads(database.db, quiet)
const day = (n: number) => `2026-11-${n}T10:00:00Z`
const network = { origin: 'connector' } as const

const parcel = (orderno: string, courierStatus = 'COMPLETE', eventtime = day(20)) =>
  buildParcelEvent(orderno, courierStatus, { eventtime })

const leads = (db: Db, ids: readonly string[], sourceStatus = 'sent', at = day(19)) =>
  ingestLeads(db, {
    sourceId: source,
    leads: ids.map((id) => buildLead(id, { source_status: sourceStatus, updated_at: at })),
    ...network,
  })

const readStoredLeads = async () =>
  (await database.storedLeads(source)).map(({ external_id, column }) => [external_id, column])

const history = async () =>
  (
    await database.pool.query<{ line: string }>(
      `select concat_ws(' ', l.external_id, h.origin, st.code, h.reason) as line
       from lead_history h join leads l on l.id = h.lead_id
       left join statuses s on s.id = h.status_id left join status_types st on st.id = s.type_id
       where l.source_id = $1 order by h.id`,
      [source],
    )
  ).rows.map(({ line }) => line)

describe("Leads after their parcel's outcome", () => {
  test('a late lead gets the outcome of its parcel once, with the reason in its history', async () => {
    await ingestParcels(database.db, [parcel('A1'), parcel('A2', 'CANCELED'), parcel('A3', 'DELIVERY')])
    await leads(database.db, ['A1', 'A2', 'A3', 'A4'])
    expect(await applyLateOutcomes()).toBe(2)
    expect(await readStoredLeads()).toEqual([
      ['A1', 'sold'],
      ['A2', 'returned'],
      ['A3', 'send'],
      ['A4', 'send'],
    ])
    expect(await history()).toEqual([
      ...['A1', 'A2', 'A3', 'A4'].map((id) => `${id} connector send`),
      'A1 parcel sold The parcel was delivered',
      'A2 parcel returned The parcel was returned',
    ])
    await leads(database.db, ['A1', 'A2'])
    expect(await applyLateOutcomes()).toBe(0)
    expect(await history()).toHaveLength(6)
  })

  test('a lead ends in the same state whether it or the outcome came first', async () => {
    for (const [first, at] of [
      ['lead', day(19)],
      ['lead', day(21)],
      ['parcel', day(19)],
      ['parcel', day(21)],
    ] as const) {
      source = await database.newSource()
      const id = `B-${first}-${at}`
      const steps = [
        () => leads(database.db, [id], 'sent', at),
        () => ingestParcels(database.db, [parcel(id)]),
      ]
      for (const step of first === 'lead' ? steps : steps.toReversed()) await step()
      await applyLateOutcomes()
      const updated_at = at === day(19) ? day(20) : at
      expect(await database.storedLeads(source), id).toMatchObject([
        { column: 'sold', is_status_overridden: true, updated_at },
      ])
    }
  })

  test('a final source status newer than the outcome takes precedence over it, and an older one does not', async () => {
    await ingestParcels(database.db, [parcel('C1'), parcel('C2')])
    await leads(database.db, ['C1', 'C2'], 'new', day(17))
    await leads(database.db, ['C1'], 'client_returned', day(21))
    await leads(database.db, ['C2'], 'sent', day(18))
    await applyLateOutcomes()
    expect(await readStoredLeads()).toEqual([
      ['C1', 'returned'],
      ['C2', 'sold'],
    ])
    await leads(database.db, ['C2'], 'client_returned', day(22))
    await applyLateOutcomes()
    expect(await readStoredLeads()).toContainEqual(['C2', 'returned'])
  })

  test('another payout after the outcome has no effect on the status, in any order of arrival', async () => {
    const steps = {
      lead: (id: string) => leads(database.db, [id], 'sent', day(19)),
      payout: (id: string) =>
        ingestLeads(database.db, {
          sourceId: source,
          leads: [buildLead(id, { source_status: 'sent', updated_at: day(21), payout: '12' })],
          ...network,
        }),
      parcel: (id: string) => ingestParcels(database.db, [parcel(id)]),
      late: applyLateOutcomes,
    }
    for (const order of [
      ['lead', 'payout', 'parcel', 'late'],
      ['lead', 'parcel', 'payout', 'late'],
      ['parcel', 'lead', 'payout', 'late'],
      ['parcel', 'lead', 'late', 'payout'],
    ] as const) {
      source = await database.newSource()
      const id = `F-${order.join('-')}`
      for (const step of order) await steps[step](id)
      expect(await readStoredLeads()).toEqual([[id, 'sold']])
    }
  })

  test('an outcome that is older than the status of an admin does not replace it', async () => {
    await leads(database.db, ['I1'])
    const byAdmin = { external_id: 'I1', source_id: source, column: 'returned', at: day(21) } as const
    await overrideLeadStatus(database.db, [byAdmin], { origin: 'admin' })
    await ingestParcels(database.db, [parcel('I1')])
    await applyLateOutcomes()
    expect(await readStoredLeads()).toEqual([['I1', 'returned']])
    await ingestParcels(database.db, [parcel('I1', 'COMPLETE', day(22))])
    expect(await readStoredLeads()).toEqual([['I1', 'sold']])
  })

  test('an outcome that is repeated after the default status changed does not return', async () => {
    await leads(database.db, ['G1'])
    await ingestParcels(database.db, [parcel('G1')])
    await leads(database.db, ['G1'], 'client_returned', day(21))
    const { rows } = await database.pool.query<{ id: number }>(
      `with former as (update statuses set is_active = false where name = 'Sold' returning type_id)
       insert into statuses (name, type_id) select 'Sold again', type_id from former returning id`,
    )
    try {
      await ingestParcels(database.db, [parcel('G1')])
      expect(await readStoredLeads()).toEqual([['G1', 'returned']])
    } finally {
      await database.pool.query('delete from statuses where id = $1', [rows[0]?.id])
      await database.pool.query(`update statuses set is_active = true where name = 'Sold'`)
    }
  })

  test('of the outcomes of two parcels with one order number the later one applies', async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into users (username, name, email, password_hash, role_id)
       select name, name, name, '', (select min(id) from roles) from unnest(array['c', 'd']) name returning id`,
    )
    const [owner, otherOwner] = rows.map(({ id }) => id)
    await leads(database.db, ['H1'])
    const delivered = { ...parcel('H1', 'COMPLETE', day(22)), owner_id: owner ?? 0 }
    const returned = { ...parcel('H1', 'CANCELED', day(21)), owner_id: otherOwner ?? 0 }
    await ingestParcels(database.db, [delivered])
    await ingestParcels(database.db, [returned])
    await ingestParcels(database.db, [delivered, returned])
    expect(await readStoredLeads()).toEqual([['H1', 'sold']])
  })

  test('a late lead whose stream belongs to another person stays unchanged', async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into users (username, name, email, password_hash, role_id)
       select name, name, name, '', (select min(id) from roles) from unnest(array['a', 'b']) name returning id`,
    )
    const [owner, otherOwner] = rows.map(({ id }) => id)
    await ingestParcels(database.db, [{ ...parcel('D1'), owner_id: owner ?? 0 }])
    const stream = { stream: 'S', stream_extra_id: '1' }
    await ingestLeads(database.db, { sourceId: source, leads: [buildLead('D0', stream)], ...network })
    await database.pool.query('update streams set user_id = $1 where source_id = $2', [otherOwner, source])
    await ingestLeads(database.db, { sourceId: source, leads: [buildLead('D1', stream)], ...network })
    expect(await applyLateOutcomes()).toBe(0)
    await database.pool.query('update streams set user_id = $1 where source_id = $2', [owner, source])
    source = await database.newSource()
    await ingestLeads(database.db, { sourceId: source, leads: [buildLead('D1', stream)], ...network })
    expect(await applyLateOutcomes()).toBe(1)
    // A stream that the batch creates has its owner from the start.
    source = await database.newSource()
    const batch = { sourceId: source, leads: [buildLead('D1', stream)], ...network }
    await ingestLeads(database.db, { ...batch, streamOwnerId: otherOwner })
    expect(await applyLateOutcomes()).toBe(0)
  })
})

describe('Simultaneous leads and outcomes', () => {
  test.each([['lead'], ['parcel']])(
    'a simultaneous lead gets the outcome when the %s commits first',
    async (first) => {
      const id = `E-${first}`
      const [leadTransaction, parcelTransaction] = [
        await database.db.startTransaction().execute(),
        await database.db.startTransaction().execute(),
      ]
      await ingestParcels(parcelTransaction, [parcel(id)])
      await leads(leadTransaction, [id])
      let over = false
      const looking = applyLateOutcomes().finally(() => (over = true))
      const [firstTransaction, secondTransaction] =
        first === 'lead' ? [leadTransaction, parcelTransaction] : [parcelTransaction, leadTransaction]
      // A job that does not wait for writers would finish within this time.
      await sleep(200)
      await firstTransaction.commit().execute()
      await sleep(200)
      expect(over).toBe(false)
      await secondTransaction.commit().execute()
      await looking
      expect(await readStoredLeads()).toEqual([[id, 'sold']])
    },
  )

  test('a lead gets an outcome that began while the job waited for the lead', async () => {
    const leadTransaction = await database.db.startTransaction().execute()
    await leads(leadTransaction, ['E-between'])
    let over = false
    const looking = applyLateOutcomes().finally(() => (over = true))
    await sleep(200)
    const parcelTransaction = await database.db.startTransaction().execute()
    await ingestParcels(parcelTransaction, [parcel('E-between')])
    await leadTransaction.commit().execute()
    await sleep(200)
    expect(over).toBe(false)
    await parcelTransaction.commit().execute()
    await looking
    expect(await readStoredLeads()).toEqual([['E-between', 'sold']])
  })

  test('every lead gets its outcome while writers and the job run together', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `F${n}`)
    const writersEnd = new AbortController()
    const job = (async () => {
      while (!writersEnd.signal.aborted) await applyLateOutcomes()
    })()
    const sliceIds = (from: number) => ids.slice(from, from + 10)
    const writers = [
      async () => {
        for (let at = 0; at < ids.length; at += 10) await leads(database.db, sliceIds(at))
      },
      async () => {
        for (let at = 0; at < ids.length; at += 10)
          await ingestParcels(
            database.db,
            sliceIds(at).map((id) => parcel(id)),
          )
      },
      async () => {
        for (let at = ids.length - 10; at >= 0; at -= 10)
          await ingestParcels(
            database.db,
            sliceIds(at).map((id) => parcel(id, 'DELIVERY', day(18))),
          )
      },
    ]
    await Promise.all(writers.map((write) => write()))
    writersEnd.abort()
    await job
    await applyLateOutcomes()
    expect(new Set((await readStoredLeads()).map(([, column]) => column))).toEqual(new Set(['sold']))
    expect(await history()).toHaveLength(ids.length * 2)
  })
})

test('an interrupted job late-leads is continued by the next run', async () => {
  await ingestParcels(database.db, [parcel('G1')])
  await leads(database.db, ['G1'])
  expect(await applyOutcomesToLateLeads(database.db, AbortSignal.abort())).toBe(0)
  expect(await applyLateOutcomes()).toBe(1)
})
