import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import type { Db } from '../../platform/database/pool.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { findParcelState } from './parcels.codes.ts'
import type { ParcelEventInput } from './parcels.types.ts'
import { applyOutcomesToLateLeads } from './parcels.late-leads.ts'
import { ingestParcels } from './parcels.ingest.ts'

let intake: LeadDatabase
let source: number

beforeAll(async () => {
  intake = await openLeadDatabase()
})
beforeEach(async () => {
  source = await intake.newSource()
})
afterAll(() => intake.close())

const quiet = new AbortController().signal
const applyLateOutcomes = () => applyOutcomesToLateLeads(intake.db, quiet)
const day = (n: number) => `2026-11-${n}T10:00:00Z`
const network = { origin: 'connector' } as const

function parcel(orderno: string, raw = 'COMPLETE', eventtime = day(20)): ParcelEventInput {
  const state = findParcelState(raw)
  if (state === undefined) throw new Error(raw)
  const nullDetails = {
    owner_id: null,
    day: null,
    barcode: null,
    type_name: null,
    weight: null,
    quantity: null,
  }
  const nullReceiver = { service_name: null, delivery_price: null, person: null, company: null, phone: null }
  return { orderno, state, eventtime, ...nullDetails, ...nullReceiver, address: null, town: null }
}

const leads = (db: Db, ids: readonly string[], word = 'sent', at = day(19)) =>
  ingestLeads(
    db,
    source,
    ids.map((id) => buildLead(id, { source_status: word, updated_at: at })),
    network,
  )

const stored = async () =>
  (await intake.storedLeads(source)).map(({ external_id, column }) => [external_id, column])

const history = async () =>
  (
    await intake.pool.query<{ line: string }>(
      `select concat_ws(' ', l.external_id, h.origin, st.code, h.reason) as line
       from lead_history h join leads l on l.id = h.lead_id
       left join statuses s on s.id = h.status_id left join status_types st on st.id = s.type_id
       where l.source_id = $1 order by h.id`,
      [source],
    )
  ).rows.map(({ line }) => line)

describe('a lead that comes after the outcome of its parcel', () => {
  test('moves as well, once, with the reason in its history', async () => {
    await ingestParcels(intake.db, [parcel('A1'), parcel('A2', 'CANCELED'), parcel('A3', 'DELIVERY')])
    await leads(intake.db, ['A1', 'A2', 'A3', 'A4'])
    expect(await applyLateOutcomes()).toBe(2)
    expect(await stored()).toEqual([
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
    await leads(intake.db, ['A1', 'A2'])
    expect(await applyLateOutcomes()).toBe(0)
    expect(await history()).toHaveLength(6)
  })

  test('ends where it would have, had it come before', async () => {
    for (const [first, at] of [
      ['lead', day(19)],
      ['lead', day(21)],
      ['parcel', day(19)],
      ['parcel', day(21)],
    ] as const) {
      source = await intake.newSource()
      const id = `B-${first}-${at}`
      const steps = [() => leads(intake.db, [id], 'sent', at), () => ingestParcels(intake.db, [parcel(id)])]
      for (const step of first === 'lead' ? steps : steps.toReversed()) await step()
      await applyLateOutcomes()
      const updated_at = at === day(19) ? day(20) : at
      expect(await intake.storedLeads(source), id).toMatchObject([
        { column: 'sold', is_status_overridden: true, updated_at },
      ])
    }
  })

  test('gives way to a word that is newer than the outcome, not to one that is older', async () => {
    await ingestParcels(intake.db, [parcel('C1'), parcel('C2')])
    await leads(intake.db, ['C1', 'C2'], 'new', day(17))
    await leads(intake.db, ['C1'], 'client_returned', day(21))
    await leads(intake.db, ['C2'], 'sent', day(18))
    await applyLateOutcomes()
    expect(await stored()).toEqual([
      ['C1', 'returned'],
      ['C2', 'sold'],
    ])
    await leads(intake.db, ['C2'], 'client_returned', day(22))
    await applyLateOutcomes()
    expect(await stored()).toContainEqual(['C2', 'returned'])
  })

  test('is left alone where its stream is another person’s', async () => {
    const { rows } = await intake.pool.query<{ id: number }>(
      `insert into users (username, name, email, password_hash, role_id)
       select name, name, name, '', (select min(id) from roles) from unnest(array['a', 'b']) name returning id`,
    )
    const [owner, other] = rows.map(({ id }) => id)
    await ingestParcels(intake.db, [{ ...parcel('D1'), owner_id: owner ?? 0 }])
    const stream = { stream: 'S', stream_extra_id: '1' }
    await ingestLeads(intake.db, source, [buildLead('D0', stream)], network)
    await intake.pool.query('update streams set user_id = $1 where source_id = $2', [other, source])
    await ingestLeads(intake.db, source, [buildLead('D1', stream)], network)
    expect(await applyLateOutcomes()).toBe(0)
    await intake.pool.query('update streams set user_id = $1 where source_id = $2', [owner, source])
    source = await intake.newSource()
    await ingestLeads(intake.db, source, [buildLead('D1', stream)], network)
    expect(await applyLateOutcomes()).toBe(1)
  })
})

describe('a lead that comes at the same moment as the outcome', () => {
  test.each([['lead'], ['parcel']])('is not missed when the %s is through first', async (first) => {
    const id = `E-${first}`
    const [leadTransaction, parcelTransaction] = [
      await intake.db.startTransaction().execute(),
      await intake.db.startTransaction().execute(),
    ]
    await ingestParcels(parcelTransaction, [parcel(id)])
    await leads(leadTransaction, [id])
    let over = false
    const looking = applyLateOutcomes().finally(() => (over = true))
    const [one, two] =
      first === 'lead' ? [leadTransaction, parcelTransaction] : [parcelTransaction, leadTransaction]
    // A job that does not wait for writers would finish within this time.
    await sleep(200)
    await one.commit().execute()
    await sleep(200)
    expect(over).toBe(false)
    await two.commit().execute()
    await looking
    expect(await stored()).toEqual([[id, 'sold']])
  })

  test('is not missed when the outcome began while the lead was waited for', async () => {
    const leadTransaction = await intake.db.startTransaction().execute()
    await leads(leadTransaction, ['E-between'])
    let over = false
    const looking = applyLateOutcomes().finally(() => (over = true))
    await sleep(200)
    const parcelTransaction = await intake.db.startTransaction().execute()
    await ingestParcels(parcelTransaction, [parcel('E-between')])
    await leadTransaction.commit().execute()
    await sleep(200)
    expect(over).toBe(false)
    await parcelTransaction.commit().execute()
    await looking
    expect(await stored()).toEqual([['E-between', 'sold']])
  })

  test('moves, however writers and the job fall together', { timeout: 120_000 }, async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `F${n}`)
    const written = new AbortController()
    const job = (async () => {
      while (!written.signal.aborted) await applyLateOutcomes()
    })()
    const some = (from: number) => ids.slice(from, from + 10)
    const writers = [
      async () => {
        for (let at = 0; at < ids.length; at += 10) await leads(intake.db, some(at))
      },
      async () => {
        for (let at = 0; at < ids.length; at += 10)
          await ingestParcels(
            intake.db,
            some(at).map((id) => parcel(id)),
          )
      },
      async () => {
        for (let at = ids.length - 10; at >= 0; at -= 10)
          await ingestParcels(
            intake.db,
            some(at).map((id) => parcel(id, 'DELIVERY', day(18))),
          )
      },
    ]
    await Promise.all(writers.map((write) => write()))
    written.abort()
    await job
    await applyLateOutcomes()
    expect(new Set((await stored()).map(([, column]) => column))).toEqual(new Set(['sold']))
    expect(await history()).toHaveLength(ids.length * 2)
  })
})

test('a look that is cut off is gone on with', async () => {
  await ingestParcels(intake.db, [parcel('G1')])
  await leads(intake.db, ['G1'])
  expect(await applyOutcomesToLateLeads(intake.db, AbortSignal.abort())).toBe(0)
  expect(await applyLateOutcomes()).toBe(1)
})
