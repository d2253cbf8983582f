import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { ingestLeads } from './leads.ingest.ts'
import type { LeadInput } from './leads.types.ts'

let database: LeadDatabase

beforeAll(async () => {
  database = await openLeadDatabase()
})

afterAll(() => database.close())

const from = { origin: 'file', reason: 'test' } as const

// A plain model of `ingestLeads`: of all reported states of a lead, the greatest by the documented order applies.
const columnOf: Record<string, number> = {
  new: 0,
  hold: 1,
  accepted: 2,
  callback: 3,
  sent: 4,
  trash: 5,
  sold: 6,
  client_returned: 7,
}

function modelLeads(leads: readonly LeadInput[]) {
  const compare = (a: LeadInput, b: LeadInput): number => {
    const key = (l: LeadInput) => [
      l.updated_at ?? l.created_at,
      columnOf[l.source_status] ?? 0,
      l.source_status,
      Number(l.payout),
      l.currency,
      l.created_at,
    ]
    const [x, y] = [key(a), key(b)]
    for (const [i, value] of x.entries()) {
      const otherValue = y[i] ?? 0
      if (value !== otherValue) return value > otherValue ? 1 : -1
    }
    return 0
  }
  const firstKnown = (sameLeads: readonly LeadInput[], key: 'offer' | 'stream' | 'comment') =>
    sameLeads.find((l) => l[key] !== null)?.[key] ?? null
  return [...Map.groupBy(leads, (l) => l.external_id)]
    .map(([external_id, sameLeads]) => {
      const best = sameLeads.toSorted(compare).at(-1) ?? buildLead(external_id)
      return {
        external_id,
        source_status: best.source_status,
        payout: `${best.payout}.00`,
        currency: best.currency,
        created_at: best.created_at,
        updated_at: best.updated_at ?? best.created_at,
        offer: firstKnown(sameLeads, 'offer'),
        stream: firstKnown(sameLeads, 'stream'),
        comment: firstKnown(sameLeads, 'comment'),
      }
    })
    .toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1))
}

const time = fc.integer({ min: 1, max: 4 }).map((day) => `2026-11-2${day}T10:00:00Z`)
const arbitraryInput = (id: string): fc.Arbitrary<LeadInput> =>
  fc.record({
    external_id: fc.constant(id),
    source_status: fc.constantFrom(...Object.keys(columnOf)),
    payout: fc.integer({ min: 0, max: 3 }).map(String),
    currency: fc.constantFrom('UZS', 'USD'),
    created_at: fc.constantFrom('2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z'),
    updated_at: fc.option(time),
    // The offer, the stream and the comment of a lead do not change; an input has them or lacks them.
    offer: fc.constantFrom(`Offer ${id}`, null),
    offer_extra_id: fc.constant(null),
    stream: fc.constantFrom(`Stream ${id}`, null),
    stream_extra_id: fc.constant(null),
    comment: fc.constantFrom(`About ${id}`, null),
  })
const someLeads = fc.array(fc.constantFrom('a', 'b', 'c', 'd').chain(arbitraryInput), {
  minLength: 1,
  maxLength: 14,
})
const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 14 })

function pieces<T>(items: readonly T[], sizes: readonly number[]): T[][] {
  const parts: T[][] = []
  for (let at = 0, i = 0; at < items.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    parts.push(items.slice(at, at + size))
    at += size
  }
  return parts
}

describe('Ingest in any order', () => {
  test('random leads end in the state of a simple model, however they are cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(someLeads, cuts, async (leads, sizes) => {
        const source = await database.newSource()
        const sum = { imported: 0, updated: 0, unchanged: 0 }
        for (const piece of pieces(leads, sizes)) {
          const result = await ingestLeads(database.db, { sourceId: source, leads: piece, ...from })
          for (const key of ['imported', 'updated', 'unchanged'] as const) sum[key] += result[key]
        }
        const expected = modelLeads(leads)
        expect(await database.storedLeads(source)).toMatchObject(expected)
        expect(sum.imported).toBe(expected.length)
        expect(sum.imported + sum.updated + sum.unchanged).toBe(leads.length)
        // Again in reverse order: nothing changes.
        expect(
          await ingestLeads(database.db, { sourceId: source, leads: leads.toReversed(), ...from }),
        ).toEqual({
          imported: 0,
          updated: 0,
          unchanged: leads.length,
        })
        for (const { external_id, source_status } of expected)
          expect((await database.statusHistory(source, external_id)).at(-1)).toBe(source_status)
      }),
      { numRuns: 60 },
    )
  })

  test('four simultaneous writers lose no lead, duplicate none, and do not deadlock', async () => {
    const source = await database.newSource()
    const sourceStatuses = Object.keys(columnOf)
    const reportedLeads = Array.from({ length: 3000 }, (_, i) =>
      buildLead(`id ${(i * 7) % 500}`, {
        source_status: sourceStatuses[(i * 11) % sourceStatuses.length] ?? 'new',
        updated_at: `2026-11-${String(1 + ((i * 13) % 28)).padStart(2, '0')}T10:00:00Z`,
        offer: `Offer ${((i * 7) % 500) % 40}`,
        stream: `Stream ${((i * 7) % 500) % 60}`,
        stream_extra_id: String(((i * 7) % 500) % 60),
      }),
    )
    const writers = [
      reportedLeads,
      reportedLeads.toReversed(),
      [...reportedLeads.slice(1500), ...reportedLeads.slice(0, 1500)],
      reportedLeads.toSorted((a, b) => (a.source_status < b.source_status ? -1 : 1)),
    ]
    await Promise.all(
      writers.map(async (writerLeads, w) => {
        for (const piece of pieces(writerLeads, [97 + w * 31]))
          await ingestLeads(database.db, { sourceId: source, leads: piece, ...from })
      }),
    )
    const expected = modelLeads(reportedLeads).toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1))
    const storedLeads = (await database.storedLeads(source)).toSorted((a, b) =>
      String(a.external_id) < String(b.external_id) ? -1 : 1,
    )
    expect(storedLeads).toMatchObject(expected)
    const count = async (table: 'offers' | 'streams') =>
      (await database.db.selectFrom(table).select('name').where('source_id', '=', source).execute()).map(
        ({ name }) => name,
      )
    expect(byName(await count('offers'))).toEqual(byName(new Set(reportedLeads.map(({ offer }) => offer))))
    expect(byName(await count('streams'))).toEqual(byName(new Set(reportedLeads.map(({ stream }) => stream))))
    const { rows } = await database.pool.query<{ twice: number }>(
      `select count(*) as twice from (select id, source_status, status_id, payout, currency,
         lag((source_status, status_id, payout, currency)) over (partition by lead_id order by id) as before from lead_history) h
       where h.before is not distinct from (source_status, status_id, payout, currency)`,
    )
    expect(rows[0]?.twice).toBe(0)
  })
})

const byName = (names: Iterable<string | null>) => [...names].map(String).toSorted((a, b) => (a < b ? -1 : 1))
