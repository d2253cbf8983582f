import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { expect, test } from 'vitest'
import { buildSeries } from './explore.series.ts'

const member = (key: string) => ({ kind: 'value', key, name: null }) as const
const figures = (leads: number, before: number | null = null) => ({
  metrics: { leads, approve_rate: leads / 100 },
  compared: before === null ? null : { leads: { value: before, difference: leads - before, percent: null } },
})
const meta = {
  rows: 'day',
  columns: null,
  metrics: ['leads'],
  sort: 'leads',
  period: { start: null, end: null },
  compared_period: null,
  row_totals: [
    { member: member('2026-11-01'), ...figures(3, 1) },
    { member: member('2026-11-02'), ...figures(5, 2) },
  ],
  column_totals: [],
  row_count: 2,
  column_count: 0,
} satisfies ExploreAnswer['meta']
const answer: ExploreAnswer = { items: [], totals: figures(8), meta }

test('one dimension is one series, and a second one if it is compared', () => {
  expect(buildSeries(answer).series).toEqual([{ name: 'Leads', values: [3, 5] }])
  const compared = { ...meta, compared_period: { start: '2026-10-01', end: '2026-10-02' } }
  expect(buildSeries({ ...answer, meta: compared }).series).toEqual([
    { name: 'Leads', values: [3, 5] },
    { name: 'Leads, before', values: [1, 2] },
  ])
})

test('two dimensions are a series for each of the first six columns, and a missing cell is 0', () => {
  const columns = Array.from({ length: 8 }, (_, n) => ({ member: member(String(n)), ...figures(n) }))
  const items = [{ row: member('2026-11-02'), column: member('0'), ...figures(4) }]
  const built = buildSeries({ ...answer, items, meta: { ...meta, columns: 'hour', column_totals: columns } })
  expect([built.series.length, built.total]).toEqual([6, 8])
  expect(built.series[0]).toEqual({ name: '00:00', values: [0, 4] })
})

test('a rate is in percent', () => {
  const { series } = buildSeries({ ...answer, meta: { ...meta, metrics: ['approve_rate'] } })
  expect(series[0]?.values).toEqual([3, 5])
})
