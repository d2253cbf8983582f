import type { ExploreQuery } from '@karvon/contract/explore/explore.ts'
import { expect } from 'vitest'
import { answerQuestion } from '../src/domains/explore/explore.ts'
import { recountCells, toRecountKey, type ExploreKey } from './explore-recount.ts'
import type { LeadDatabase } from './lead-database.ts'
import type { RecountViewer } from './recount.ts'

const addHundredths = (values: readonly (number | null | undefined)[]) =>
  values.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * 100), 0)

/** Expects that the cells, the rest and the totals of an answer equal a recount. `condition` is the SQL of the filters of `query`. */
export async function expectRecount(
  { db, pool }: Pick<LeadDatabase, 'db' | 'pool'>,
  {
    keys: [rows, columns],
    query,
    condition,
    viewer,
  }: {
    keys: readonly [ExploreKey, ExploreKey]
    query: ExploreQuery
    condition: string
    viewer: RecountViewer
  },
): Promise<void> {
  const question: ExploreQuery = { rows, columns, metrics: 'leads,profit', ...query }
  const { items, totals, meta } = await answerQuestion(db, question, viewer)
  const cells = await recountCells(pool, { keys: [rows, columns], condition, viewer })
  for (const metric of ['leads', 'profit'] as const) {
    const expected = addHundredths(cells.map((cell) => cell[metric]))
    for (const part of [[totals], items, meta.row_totals, meta.column_totals])
      expect(addHundredths(part.map(({ metrics }) => metrics[metric])), JSON.stringify(question)).toBe(
        expected,
      )
  }
  for (const { row, column, metrics } of items) {
    if (row.kind === 'rest' || column?.kind === 'rest') continue
    const [rowKey, columnKey] = [toRecountKey(rows, row.key), toRecountKey(columns, column?.key ?? null)]
    const foundCell = cells.find((cell) => cell.row_key === rowKey && cell.column_key === columnKey)
    expect(metrics, `${JSON.stringify(question)} ${rowKey} ${columnKey}`).toEqual({
      leads: foundCell?.leads ?? 0,
      profit: foundCell?.profit ?? 0,
    })
  }
}
