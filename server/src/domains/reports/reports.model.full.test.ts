import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../../test/app.ts'
import {
  countRollupDifferences,
  figuresKinds,
  noDifferences,
  recount,
  recountLeads,
  recountMoney,
  type RecountFilter,
} from '../../../test/recount.ts'
import { ReportModelProduct, arbitrarySteps, type Person } from '../../../test/report-model.ts'
import { Where } from '../../resources/lists.where.ts'
import { leadCountSql } from '../rollups/rollups.queries.ts'

/** How many random histories; a longer run: KARVON_MODEL_RUNS=500. */
const runs = Number(process.env.KARVON_MODEL_RUNS ?? 12)

let fixture: ReportModelProduct
beforeAll(async () => {
  fixture = await ReportModelProduct.open()
})
afterAll(() => fixture.product.close())

const day = fc.constantFrom(
  '1900-01-01',
  '2025-06-01',
  '2026-11-20',
  '2026-11-21',
  '2026-12-31',
  '2099-12-31',
)
/** Id 0 stands for leads without one. */
const someOf = fc.constantFrom(undefined, 0 as const, 'one' as const)
const someCell = fc.record({
  column: fc.constantFrom(undefined, 'sold' as const, 'none' as const),
  offer: someOf,
  stream: someOf,
})
type Cell = typeof someCell extends fc.Arbitrary<infer Of> ? Of : never

const arbitraryQuery = fc.record({
  source: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
  days: fc.tuple(day, day).map((two) => two.toSorted()),
  open: fc.subarray(['start_date', 'end_date'] as const),
  cells: fc.array(someCell, { maxLength: 4 }),
})

type Row = Record<string, string | number | null>
interface Answer {
  items: Row[]
  meta: { totals?: Row; filtered_total: number; total: number }
}

async function report(kind: string, of: RecountFilter, person: Person | null): Promise<Answer> {
  const query = new URLSearchParams({ per_page: '200' })
  for (const [key, value] of Object.entries(of)) if (value !== undefined) query.set(key, String(value))
  const url = `/api/${person === null ? 'admin' : 'user'}/report/${kind}?${query.toString()}`
  const answer = await callApi(fixture.product.app, person?.signed ?? fixture.admin, 'GET', url)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Answer>()
}

const inOrder = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).toSorted()

/** Compares every report with a recount of the leads. */
async function expectExact(of: RecountFilter, person: Person | null): Promise<void> {
  const { pool } = fixture.product.deps
  for (const kind of figuresKinds) {
    const { items, meta } = await report(kind, of, person)
    const { rows, totals } = await recount(pool, kind, of, person)
    expect(inOrder(items), kind).toEqual(inOrder(rows))
    expect(meta, kind).toMatchObject({ totals, filtered_total: rows.length })
    expect(meta.total, kind).toBe((await recount(pool, kind, {}, person)).rows.length)
  }
  const money = (await report('fin', of, person)).items.map(
    ({ id = null, name = null, profit = null, hold_amount = null }) => ({ id, name, profit, hold_amount }),
  )
  expect(inOrder(money)).toEqual(inOrder(await recountMoney(pool, of, person)))
}

/** Compares a cell with a count of the leads behind it. */
async function expectCounted(of: RecountFilter, cell: Cell, person: Person | null): Promise<void> {
  const { pool } = fixture.product.deps
  const idOf = async (table: 'offers' | 'streams', selection: Cell['offer']) => {
    if (selection !== 'one') return selection
    return (await pool.query<{ id: number }>(`select id from ${table} order by id limit 1`)).rows[0]?.id
  }
  const offer_id = await idOf('offers', cell.offer)
  const stream_id = await idOf('streams', cell.stream)
  const leads = { ...of, column: cell.column, offer_id, stream_id }
  const where = new Where()
  const text = `select ${leadCountSql(where, leads, person)} as n`
  const { rows } = await pool.query<{ n: number }>(text, where.values)
  expect(rows[0]?.n, JSON.stringify(leads)).toBe(await recountLeads(pool, leads, person))
}

test(
  'after random changes in any order, every report equals a recount of the leads',
  { timeout: 60_000 + runs * 5000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySteps,
        fc.array(arbitraryQuery, { minLength: 1, maxLength: 2 }),
        async (steps, queries) => {
          await fixture.clear()
          for (const step of steps) await fixture.applyStep(step)
          for (const { source, days, open, cells } of queries) {
            const of = {
              source_id: source === undefined ? undefined : fixture.sources[source],
              start_date: open.includes('start_date') ? undefined : days[0],
              end_date: open.includes('end_date') ? undefined : days[1],
            }
            for (const person of [null, ...fixture.people]) {
              await expectExact(of, person)
              for (const cell of cells) await expectCounted(of, cell, person)
            }
          }
          expect(await countRollupDifferences(fixture.product.deps.pool)).toEqual(noDifferences)
        },
      ),
      { numRuns: runs },
    )
  },
)
