import type { ExploreAnswer } from './explore.ts'
import { expect, test } from 'vitest'
import { buildSeries, limitBars, type SeriesNames } from './explore.series.ts'

const names: SeriesNames = {
  member: (_, { key }) => key ?? '',
  metric: (metric) => metric,
  before: (name) => `${name}, before`,
}

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
  currencies: [],
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
  expect(buildSeries(answer, names).series).toEqual([{ name: 'leads', values: [3, 5] }])
  const comparedMeta = { ...meta, compared_period: { start: '2026-10-01', end: '2026-10-02' } }
  expect(buildSeries({ ...answer, meta: comparedMeta }, names).series).toEqual([
    { name: 'leads', values: [3, 5] },
    { name: 'leads, before', values: [1, 2] },
  ])
})

test('two dimensions are a series for each of the first six columns, and a missing cell is 0', () => {
  const columns = Array.from({ length: 8 }, (_, n) => ({ member: member(String(n)), ...figures(n) }))
  const items = [{ row: member('2026-11-02'), column: member('0'), ...figures(4) }]
  const twoDimensions = { ...meta, columns: 'hour', column_totals: columns } as const
  const builtSeries = buildSeries({ ...answer, items, meta: twoDimensions }, names)
  expect([builtSeries.series.length, builtSeries.total]).toEqual([6, 8])
  expect(builtSeries.series[0]).toEqual({ name: '0', values: [0, 4] })
})

test('the rest of the days is no point behind the newest day, and that of another dimension is a bar', () => {
  const rest = { member: { kind: 'rest', key: null, name: null }, ...figures(900) } as const
  const longMeta = { ...meta, row_totals: [...meta.row_totals, rest], row_count: 900 }
  expect(buildSeries({ ...answer, meta: longMeta }, names).series[0]?.values).toEqual([3, 5])
  expect(buildSeries({ ...answer, meta: { ...longMeta, rows: 'offer' } }, names).series[0]?.values).toEqual([
    3, 5, 900,
  ])
})

test('a rate is in percent', () => {
  const { series } = buildSeries({ ...answer, meta: { ...meta, metrics: ['approve_rate'] } }, names)
  expect(series[0]?.values).toEqual([3, 5])
})

test('a bar chart has the newest rows of a time, and the first rows of any other dimension', () => {
  const labels = Array.from({ length: 70 }, (_, n) => String(n))
  const data = {
    metric: 'leads',
    labels,
    series: [{ name: 'leads', values: labels.map(Number) }],
    total: 1,
  } as const
  expect([limitBars(data, 'day').labels[0], limitBars(data, 'day').series[0]?.values.at(-1)]).toEqual([
    '10',
    69,
  ])
  expect([limitBars(data, 'stream').labels[0], limitBars(data, 'stream').labels.length]).toEqual(['0', 60])
})
