import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lead, openIntake, type Intake } from '../../../test/intake.ts'
import { takeIn } from './leads.intake.ts'
import type { LeadTold } from './leads.lead.ts'

let intake: Intake

beforeAll(async () => {
  intake = await openIntake()
})

afterAll(() => intake.close())

const from = { origin: 'file', reason: 'test' } as const

// A plain model of what takeIn promises: of everything told of a lead, the greatest by the documented order.
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

function modelled(all: readonly LeadTold[]) {
  const compare = (a: LeadTold, b: LeadTold): number => {
    const key = (l: LeadTold) => [
      l.updated_at ?? l.created_at,
      columnOf[l.word] ?? 0,
      l.word,
      Number(l.payout),
      l.currency,
      l.created_at,
    ]
    const [x, y] = [key(a), key(b)]
    for (const [i, value] of x.entries()) {
      const other = y[i] ?? 0
      if (value !== other) return value > other ? 1 : -1
    }
    return 0
  }
  const told = (same: readonly LeadTold[], key: 'offer' | 'stream' | 'comment') =>
    same.find((l) => l[key] !== null)?.[key] ?? null
  return [...Map.groupBy(all, (l) => l.external_id)]
    .map(([external_id, same]) => {
      const best = same.toSorted(compare).at(-1) ?? lead(external_id)
      return {
        external_id,
        word: best.word,
        payout: `${best.payout}.00`,
        currency: best.currency,
        created_at: best.created_at,
        updated_at: best.updated_at ?? best.created_at,
        offer: told(same, 'offer'),
        stream: told(same, 'stream'),
        comment: told(same, 'comment'),
      }
    })
    .toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1))
}

const time = fc.integer({ min: 1, max: 4 }).map((day) => `2026-11-2${day}T10:00:00Z`)
const toldOf = (id: string): fc.Arbitrary<LeadTold> =>
  fc.record({
    external_id: fc.constant(id),
    word: fc.constantFrom(...Object.keys(columnOf)),
    payout: fc.integer({ min: 0, max: 3 }).map(String),
    currency: fc.constantFrom('UZS', 'USD'),
    created_at: fc.constantFrom('2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z'),
    updated_at: fc.option(time),
    // What a lead is about does not change; a source tells it or not.
    offer: fc.constantFrom(`Offer ${id}`, null),
    offer_extra_id: fc.constant(null),
    stream: fc.constantFrom(`Stream ${id}`, null),
    stream_extra_id: fc.constant(null),
    comment: fc.constantFrom(`About ${id}`, null),
  })
const someLeads = fc.array(fc.constantFrom('a', 'b', 'c', 'd').chain(toldOf), { minLength: 1, maxLength: 14 })
const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 14 })

function pieces<T>(all: readonly T[], sizes: readonly number[]): T[][] {
  const found: T[][] = []
  for (let at = 0, i = 0; at < all.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    found.push(all.slice(at, at + size))
    at += size
  }
  return found
}

describe('any input in any order', () => {
  test('ends in the state of the plain model, however it is cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(someLeads, cuts, async (leads, sizes) => {
        const source = await intake.newSource()
        const sum = { imported: 0, updated: 0, unchanged: 0 }
        for (const piece of pieces(leads, sizes)) {
          const taken = await takeIn(intake.db, source, piece, from)
          for (const key of ['imported', 'updated', 'unchanged'] as const) sum[key] += taken[key]
        }
        const expected = modelled(leads)
        expect(await intake.stored(source)).toMatchObject(expected)
        expect(sum.imported).toBe(expected.length)
        expect(sum.imported + sum.updated + sum.unchanged).toBe(leads.length)
        // Once more, backwards: nothing is news.
        expect(await takeIn(intake.db, source, leads.toReversed(), from)).toEqual({
          imported: 0,
          updated: 0,
          unchanged: leads.length,
        })
        for (const { external_id, word } of expected)
          expect((await intake.history(source, external_id)).at(-1)).toBe(word)
      }),
      { numRuns: 60 },
    )
  })

  test('four writers at once lose nothing, make nothing twice and do not block each other for good', async () => {
    const source = await intake.newSource()
    const words = Object.keys(columnOf)
    const told = Array.from({ length: 3000 }, (_, i) =>
      lead(`id ${(i * 7) % 500}`, {
        word: words[(i * 11) % words.length] ?? 'new',
        updated_at: `2026-11-${String(1 + ((i * 13) % 28)).padStart(2, '0')}T10:00:00Z`,
        offer: `Offer ${((i * 7) % 500) % 40}`,
        stream: `Stream ${((i * 7) % 500) % 60}`,
        stream_extra_id: String(((i * 7) % 500) % 60),
      }),
    )
    const writers = [
      told,
      told.toReversed(),
      [...told.slice(1500), ...told.slice(0, 1500)],
      told.toSorted((a, b) => (a.word < b.word ? -1 : 1)),
    ]
    await Promise.all(
      writers.map(async (mine, w) => {
        for (const piece of pieces(mine, [97 + w * 31])) await takeIn(intake.db, source, piece, from)
      }),
    )
    const expected = modelled(told).toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1))
    const found = (await intake.stored(source)).toSorted((a, b) =>
      String(a.external_id) < String(b.external_id) ? -1 : 1,
    )
    expect(found).toMatchObject(expected)
    const count = async (table: 'offers' | 'streams') =>
      (await intake.db.selectFrom(table).select('name').where('source_id', '=', source).execute()).map(
        ({ name }) => name,
      )
    expect(byName(await count('offers'))).toEqual(byName(new Set(told.map(({ offer }) => offer))))
    expect(byName(await count('streams'))).toEqual(byName(new Set(told.map(({ stream }) => stream))))
    const { rows } = await intake.pool.query<{ twice: number }>(
      `select count(*) as twice from (select id, word, status_id, payout,
         lag((word, status_id, payout)) over (partition by lead_id order by id) as before from lead_history) h
       where h.before is not distinct from (word, status_id, payout)`,
    )
    expect(rows[0]?.twice).toBe(0)
  })
})

const byName = (names: Iterable<string | null>) => [...names].map(String).toSorted((a, b) => (a < b ? -1 : 1))
