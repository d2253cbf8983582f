import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { duringDelete } from '../../../test/during-delete.ts'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { ingestLeads } from './leads.ingest.ts'

let database: LeadDatabase

beforeAll(async () => {
  database = await openLeadDatabase()
})

afterAll(() => database.close())

const from = { origin: 'file', reason: 'test' } as const

describe('One lead', () => {
  test('a repeated lead changes nothing and adds no history', async () => {
    const source = await database.newSource()
    const batch = [buildLead('a', { offer: 'Soat', stream: 'Reels' }), buildLead('b')]
    expect(await ingestLeads(database.db, { sourceId: source, leads: batch, ...from })).toEqual({
      imported: 2,
      updated: 0,
      unchanged: 0,
    })
    const before = await database.storedLeads(source)
    expect(await ingestLeads(database.db, { sourceId: source, leads: batch, ...from })).toEqual({
      imported: 0,
      updated: 0,
      unchanged: 2,
    })
    expect(await database.storedLeads(source)).toEqual(before)
    expect(await database.statusHistory(source, 'a')).toEqual(['accepted'])
  })

  test('a state older than the stored one changes nothing', async () => {
    const source = await database.newSource()
    await ingestLeads(database.db, {
      sourceId: source,
      leads: [buildLead('a', { source_status: 'sold', updated_at: '2026-11-22T10:00:00Z' })],
      ...from,
    })
    const late = buildLead('a', {
      source_status: 'accepted',
      payout: '99',
      updated_at: '2026-11-21T10:00:00Z',
    })
    expect(await ingestLeads(database.db, { sourceId: source, leads: [late], ...from })).toEqual({
      imported: 0,
      updated: 0,
      unchanged: 1,
    })
    expect(await database.storedLeads(source)).toMatchObject([
      { source_status: 'sold', column: 'sold', payout: '10.00' },
    ])
    expect(await database.statusHistory(source, 'a')).toEqual(['sold'])
  })

  test('a newer report without a change updates only the time', async () => {
    const source = await database.newSource()
    await ingestLeads(database.db, { sourceId: source, leads: [buildLead('a')], ...from })
    expect(
      await ingestLeads(database.db, {
        sourceId: source,
        leads: [buildLead('a', { updated_at: '2026-11-25T10:00:00Z' })],
        ...from,
      }),
    ).toMatchObject({ unchanged: 1 })
    expect(await database.statusHistory(source, 'a')).toEqual(['accepted'])
    const between = buildLead('a', { source_status: 'sold', updated_at: '2026-11-24T10:00:00Z' })
    expect(await ingestLeads(database.db, { sourceId: source, leads: [between], ...from })).toMatchObject({
      unchanged: 1,
    })
  })

  test('a state without a payout keeps the stored payout, also one that is stored meanwhile', async () => {
    const source = await database.newSource()
    const report = (reports: Parameters<typeof buildLead>[1][]) =>
      ingestLeads(database.db, {
        sourceId: source,
        leads: reports.map((values) => buildLead('a', values)),
        ...from,
      })
    const readMoney = async () => {
      const [lead] = await database.storedLeads(source)
      return [lead?.source_status, lead?.payout, lead?.currency]
    }
    await report([{ source_status: 'new', payout: null, updated_at: '2026-11-20T10:00:00Z' }])
    expect(await readMoney()).toEqual(['new', '0.00', 'UZS'])

    let ingest: Promise<unknown> | undefined
    await database.db.transaction().execute(async (trx) => {
      await sql`update leads set payout = 40, currency = 'USD' where source_id = ${source}`.execute(trx)
      ingest = report([{ source_status: 'accepted', payout: null, updated_at: '2026-11-21T10:00:00Z' }])
      const waiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(() => database.countRows(waiting)).toBe(1)
    })
    await ingest
    expect(await readMoney()).toEqual(['accepted', '40.00', 'USD'])

    await report([
      { source_status: 'accepted', payout: '50', currency: 'EUR', updated_at: '2026-11-22T10:00:00Z' },
      { source_status: 'sold', payout: null, updated_at: '2026-11-23T10:00:00Z' },
    ])
    expect(await readMoney()).toEqual(['sold', '50.00', 'EUR'])
  })

  test('a lead without update times changes only to a further state', async () => {
    const source = await database.newSource()
    for (const source_status of ['new', 'accepted', 'sent', 'delivered', 'accepted', 'new'])
      await ingestLeads(database.db, {
        sourceId: source,
        leads: [buildLead('a', { source_status, updated_at: null })],
        ...from,
      })
    expect(await database.statusHistory(source, 'a')).toEqual(['new', 'accepted', 'sent', 'delivered'])
  })

  test('source statuses match in any letter case and either spelling, and unmapped ones are kept', async () => {
    const source = await database.newSource()
    const { id: status_id } = await database.db
      .selectFrom('statuses')
      .select('id')
      .where('name', '=', 'Hold')
      .executeTakeFirstOrThrow()
    await database.db
      .insertInto('source_statuses')
      .values({ name: 'Холд', source_name: 'В холде', source_name2: 'ON HOLD', status_id, source_id: source })
      .execute()
    const sourceStatuses = ['в ХОЛДЕ', 'on hold', 'SOLD', 'not_delivered']
    await ingestLeads(database.db, {
      sourceId: source,
      leads: sourceStatuses.map((source_status, i) => buildLead(String(i), { source_status })),
      ...from,
    })
    expect((await database.storedLeads(source)).map(({ column }) => column)).toEqual([
      'hold',
      'hold',
      'sold',
      null,
    ])
  })

  test('a report without an offer keeps the stored offer', async () => {
    const source = await database.newSource()
    await ingestLeads(database.db, {
      sourceId: source,
      leads: [buildLead('a', { offer: 'Soat', comment: 'call' })],
      ...from,
    })
    await ingestLeads(database.db, {
      sourceId: source,
      leads: [buildLead('a', { source_status: 'sold', updated_at: '2026-11-23T10:00:00Z' })],
      ...from,
    })
    expect(await database.storedLeads(source)).toMatchObject([
      { source_status: 'sold', offer: 'Soat', comment: 'call' },
    ])
  })
})

describe('Offers and streams', () => {
  const names = async (table: 'offers' | 'streams', source: number) =>
    (
      await database.db
        .selectFrom(table)
        .select(['name', 'extra_id'])
        .where('source_id', '=', source)
        .orderBy('id')
        .execute()
    ).map(({ name, extra_id }) => `${extra_id ?? ''}:${name}`)

  test('offers and streams are found by external id, then by name, and created once if unknown', async () => {
    const source = await database.newSource()
    await database.db
      .insertInto('offers')
      .values({
        name: 'Known',
        source_id: source,
        price: 1,
        affiliate_fee: 1,
        extra_id: null,
        status_id: null,
        master_offer_id: null,
      })
      .execute()
    const batch = [
      buildLead('1', { offer: 'Known', offer_extra_id: '7' }),
      buildLead('2', { offer: 'New', offer_extra_id: '8', stream: 'S' }),
      buildLead('3', { offer: 'Renamed', offer_extra_id: '8' }),
      buildLead('4', { offer: 'New' }),
      buildLead('5', { offer_extra_id: '9' }),
      buildLead('6', { stream: 'S', offer: 'Known' }),
    ]
    await ingestLeads(database.db, { sourceId: source, leads: batch, ...from })
    expect(await names('offers', source)).toEqual([':Known', '8:New', '9:9'])
    expect((await database.storedLeads(source)).map(({ offer }) => offer)).toEqual([
      'Known',
      'New',
      'New',
      'New',
      '9',
      'Known',
    ])
    expect(await names('streams', source)).toEqual([':S'])
    await ingestLeads(database.db, { sourceId: source, leads: batch, ...from })
    expect(await names('offers', source)).toHaveLength(3)
  })

  test('four writers create an unknown offer or stream once', async () => {
    const source = await database.newSource()
    const rounds = Array.from({ length: 20 }, (_, round) => round)
    for (const round of rounds) {
      const references = { offer: `Offer ${round}`, offer_extra_id: String(round), stream: `Stream ${round}` }
      await Promise.all(
        [1, 2, 3, 4].map((writer) =>
          ingestLeads(database.db, {
            sourceId: source,
            leads: [buildLead(`${round}-${writer}`, references)],
            ...from,
          }),
        ),
      )
    }
    expect(await names('offers', source)).toEqual(rounds.map((round) => `${round}:Offer ${round}`))
    expect(await names('streams', source)).toEqual(rounds.map((round) => `:Stream ${round}`))
  })

  test.each([
    ['offers', { offer: 'Gone' }],
    ['streams', { stream: 'Gone' }],
  ] as const)('a lead whose row of %s is deleted meanwhile gets a new one', async (table, reference) => {
    const source = await database.newSource()
    const { rows } = await database.pool.query<{ id: number }>(
      table === 'offers'
        ? `insert into offers (name, source_id, price, affiliate_fee) values ('Gone', $1, 0, 0) returning id`
        : `insert into streams (name, source_id) values ('Gone', $1) returning id`,
      [source],
    )
    const ingest = () =>
      ingestLeads(database.db, { sourceId: source, leads: [buildLead('a', reference)], ...from })
    const result = await duringDelete(database.pool, { table, id: rows[0]?.id ?? 0 }, ingest)
    expect(result).toMatchObject({ imported: 1 })
    expect(await names(table, source)).toEqual([':Gone'])
    expect(await database.storedLeads(source)).toMatchObject([reference])
  })

  test('offers of one source are not used for another', async () => {
    const [first, second] = [await database.newSource(), await database.newSource()]
    for (const source of [first, second])
      await ingestLeads(database.db, {
        sourceId: source,
        leads: [buildLead('a', { offer: 'Soat', offer_extra_id: '1' })],
        ...from,
      })
    expect(await names('offers', first)).toEqual(['1:Soat'])
    expect(await names('offers', second)).toEqual(['1:Soat'])
  })
})
