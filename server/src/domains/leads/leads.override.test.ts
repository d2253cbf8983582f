import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { ingestLeads } from './leads.ingest.ts'
import { overrideLeadStatus } from './leads.override.queries.ts'

let database: LeadDatabase

beforeAll(async () => {
  database = await openLeadDatabase()
})

afterAll(() => database.close())

const source = { origin: 'connector' } as const
const courier = { origin: 'parcel', reason: 'Parcel a' } as const
const day = (n: number) => `2026-11-${n}T10:00:00Z`
const overrideAsSold = (external_id: string, at: string | null = day(25)) =>
  ({ external_id, column: 'sold', at }) as const

async function newLead(source_status = 'sent', at = day(20)): Promise<number> {
  const id = await database.newSource()
  await ingestLeads(database.db, {
    sourceId: id,
    leads: [buildLead('a', { source_status, updated_at: at })],
    ...source,
  })
  return id
}

const history = async (id: number) =>
  (
    await database.pool.query<{ origin: string; code: string }>(
      `select h.origin, st.code from lead_history h join leads l on l.id = h.lead_id
       left join statuses s on s.id = h.status_id left join status_types st on st.id = s.type_id
       where l.source_id = $1 order by h.id`,
      [id],
    )
  ).rows.map(({ origin, code }) => `${origin} ${code}`)

describe('Status overrides', () => {
  test('a status override counts at once and is in the history, and the source status stays', async () => {
    const id = await newLead()
    expect(
      await overrideLeadStatus(database.db, [{ ...overrideAsSold('a'), source_id: id }], courier),
    ).toMatchObject([
      { old_status_id: await database.statusId('Sent'), status_id: await database.statusId('Sold') },
    ])
    expect(await database.storedLeads(id)).toMatchObject([
      { source_status: 'sent', column: 'sold', is_status_overridden: true, updated_at: day(25) },
    ])
    expect(await history(id)).toEqual(['connector send', 'parcel sold'])
  })

  test('a status override stays when the source repeats its status or touches the lead without a new one', async () => {
    const id = await newLead()
    await overrideLeadStatus(database.db, [{ ...overrideAsSold('a'), source_id: id }], courier)
    for (const at of [day(20), day(25), day(26)]) {
      await ingestLeads(database.db, {
        sourceId: id,
        leads: [buildLead('a', { source_status: 'sent', updated_at: at })],
        ...source,
      })
      expect(await database.storedLeads(id)).toMatchObject([{ column: 'sold', is_status_overridden: true }])
    }
    // Another source status with an earlier time changes nothing.
    await ingestLeads(database.db, {
      sourceId: id,
      leads: [buildLead('a', { source_status: 'trash', updated_at: day(24) })],
      ...source,
    })
    expect(await history(id)).toEqual(['connector send', 'parcel sold'])
  })

  test('a newer source status ends the override, and a repeated override does not return', async () => {
    const id = await newLead()
    await overrideLeadStatus(database.db, [{ ...overrideAsSold('a'), source_id: id }], courier)
    await ingestLeads(database.db, {
      sourceId: id,
      leads: [buildLead('a', { source_status: 'client_returned', updated_at: day(27) })],
      ...source,
    })
    const after = [
      {
        source_status: 'client_returned',
        column: 'returned',
        is_status_overridden: false,
        updated_at: day(27),
      },
    ]
    expect(await database.storedLeads(id)).toMatchObject(after)
    expect(
      await overrideLeadStatus(database.db, [{ ...overrideAsSold('a'), source_id: id }], courier),
    ).toEqual([])
    expect(await database.storedLeads(id)).toMatchObject(after)
    expect(await history(id)).toEqual(['connector send', 'parcel sold', 'connector returned'])
  })

  test('a lead whose source status is unmapped can be overridden', async () => {
    const id = await newLead('not_delivered')
    expect(await database.storedLeads(id)).toMatchObject([{ column: null, is_status_overridden: false }])
    await overrideLeadStatus(
      database.db,
      [{ external_id: 'a', source_id: id, column: 'returned', at: null }],
      courier,
    )
    expect(await database.storedLeads(id)).toMatchObject([
      { source_status: 'not_delivered', column: 'returned' },
    ])
  })

  test('a status override never sets the time of a lead back', async () => {
    const id = await newLead('sent', day(28))
    await overrideLeadStatus(database.db, [{ ...overrideAsSold('a', day(21)), source_id: id }], courier)
    expect(await database.storedLeads(id)).toMatchObject([{ column: 'sold', updated_at: day(28) }])
  })

  test("an override to the lead's present column changes nothing", async () => {
    const { type_id } = await database.db
      .selectFrom('statuses')
      .select('type_id')
      .where('name', '=', 'Sold')
      .executeTakeFirstOrThrow()
    const { id: status_id } = await database.db
      .insertInto('statuses')
      .values({ name: 'Sold twice', type_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const id = await newLead()
    await database.db
      .updateTable('source_statuses')
      .set({ status_id })
      .where('source_id', '=', id)
      .where('source_name', '=', 'completed')
      .execute()
    await ingestLeads(database.db, {
      sourceId: id,
      leads: [buildLead('a', { source_status: 'completed', updated_at: day(21) })],
      ...source,
    })
    expect(
      await overrideLeadStatus(database.db, [{ ...overrideAsSold('a'), source_id: id }], courier),
    ).toEqual([])
    expect(await database.storedLeads(id)).toMatchObject([
      { source_status: 'completed', is_status_overridden: false },
    ])
  })

  test('the latest of several overrides of a lead applies, at every source unless a source is named', async () => {
    const [first, second] = [await newLead(), await newLead()]
    const rename = async (id: number) =>
      database.db
        .updateTable('leads')
        .set({ external_id: 'shared' })
        .where('source_id', '=', id)
        .returning('id')
        .executeTakeFirstOrThrow()
    await rename(first)
    const { id } = await rename(second)
    const overrides = [
      { external_id: 'shared', column: 'returned', at: day(27) } as const,
      { ...overrideAsSold('shared'), at: day(26) },
      { id, status_id: await database.statusId('Hold'), at: day(28) },
      { external_id: 'nowhere', column: 'sold', at: day(28) } as const,
    ]
    expect(await overrideLeadStatus(database.db, overrides, courier)).toHaveLength(2)
    expect(await database.storedLeads(first)).toMatchObject([{ column: 'returned', updated_at: day(27) }])
    expect(await database.storedLeads(second)).toMatchObject([{ column: 'hold', updated_at: day(28) }])
  })
})

describe('Outgoing postbacks of a change', () => {
  test('each change of a lead queues the outgoing postbacks of its stream whose template has the new state', async () => {
    const id = await database.newSource()
    const buildReport = (source_status: string, at: string) =>
      buildLead('a', {
        source_status,
        updated_at: at,
        stream: 'Reels',
        stream_extra_id: '1',
        subs: { sub1: 'x' },
      })
    await ingestLeads(database.db, { sourceId: id, leads: [buildReport('new', day(20))], ...source })
    const { id: stream_id } = await database.db
      .selectFrom('streams')
      .select('id')
      .where('source_id', '=', id)
      .executeTakeFirstOrThrow()
    const template = (name: string, state: string | null, is_active = true) => ({
      name,
      stream_id,
      state,
      is_active,
      url: 'https://tracker.example/{status}',
    })
    await database.db
      .insertInto('postback_templates')
      .values([template('every', null), template('sold', 'sold'), template('off', null, false)])
      .execute()
    await ingestLeads(database.db, {
      sourceId: id,
      leads: [buildReport('accepted', day(21)), buildLead('b', { stream: 'Other' })],
      ...source,
    })
    await ingestLeads(database.db, { sourceId: id, leads: [buildReport('accepted', day(22))], ...source })
    await overrideLeadStatus(database.db, [{ ...overrideAsSold('a'), source_id: id }], courier)
    await overrideLeadStatus(database.db, [{ ...overrideAsSold('a'), source_id: id }], courier)
    const { rows } = await database.pool.query(
      `select t.name, o.source_status, o.state, o.payout::text, o.status from outgoing_postbacks o
       join postback_templates t on t.id = o.template_id order by o.id`,
    )
    const due = { payout: '10.00', status: 'queued' }
    expect(rows).toEqual([
      { name: 'every', source_status: 'accepted', state: 'accepted', ...due },
      { name: 'every', source_status: 'accepted', state: 'sold', ...due },
      { name: 'sold', source_status: 'accepted', state: 'sold', ...due },
    ])
    expect(await database.storedLeads(id)).toMatchObject([{ subs: { sub1: 'x' } }, { subs: null }])
  })

  test('an override that waits for a lead does not lock a lead that arrives in the meantime', async () => {
    const { db, pool } = database
    const id = await newLead()
    const lockLead = async (externalId: string) => {
      const trx = await db.startTransaction().execute()
      const query = trx.selectFrom('leads').select('id').where('source_id', '=', id)
      await query.where('external_id', '=', externalId).forUpdate().execute()
      return trx
    }
    const first = await lockLead('a')
    const overriding = overrideLeadStatus(
      db,
      ['a', 'b'].map((externalId) => ({ ...overrideAsSold(externalId), source_id: id })),
      courier,
    )
    const waiting = () =>
      pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'",
      )
    await expect.poll(async () => (await waiting()).rows.length).toBe(1)
    await ingestLeads(db, {
      sourceId: id,
      leads: [buildLead('b', { source_status: 'sent', updated_at: day(20) })],
      ...source,
    })
    // Another writer holds the new lead and may wait for the first one: an override that waits for it is a deadlock.
    const second = await lockLead('b')
    await first.commit().execute()
    const result = await Promise.race([overriding, sleep(5000, 'waits for the new lead')])
    await second.commit().execute()
    await overriding
    expect(result).toHaveLength(1)
  })
})
