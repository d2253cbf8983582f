import { expect, test } from 'vitest'
import { buildExploreQuery, readExploreState } from './explore.address.ts'
import { changeFilter, writeFilters } from './explore.filters.ts'

const defaults = { rows: 'day', metrics: 'leads', period: 'last_30_days', top: '20', view: 'table' }
const read = (values: Record<string, string>) => readExploreState({ ...defaults, ...values })

test('the call of Explore has the parameters of the address', () => {
  const state = read({
    rows: 'stream',
    columns: 'weekday',
    metrics: 'profit,leads',
    compare: 'year',
    source: '3',
    without: 'sub1',
  })
  expect(buildExploreQuery(state)).toEqual({
    rows: 'stream',
    columns: 'weekday',
    metrics: 'profit,leads',
    top_rows: 20,
    period: 'last_30_days',
    compare: 'year',
    source: '3',
    without: 'sub1',
  })
})

test('own dates replace the period, and a comparison needs a period with two ends', () => {
  const dated = read({ from: '2026-11-01', to: '2026-11-20', compare: 'same_weekdays' })
  expect(buildExploreQuery(dated)).toMatchObject({
    date_from: '2026-11-01',
    date_to: '2026-11-20',
    compare: 'same_weekdays',
  })
  expect(buildExploreQuery(dated)).not.toHaveProperty('period')
  expect(buildExploreQuery(read({ period: 'all', compare: 'year' }))).not.toHaveProperty('compare')
})

test('unknown names in the address are left out', () => {
  const state = read({
    rows: 'planet',
    columns: 'day',
    metrics: 'luck,sold',
    view: 'cake',
    top: '7',
    compare: 'never',
  })
  expect(state).toMatchObject({
    rows: 'day',
    columns: undefined,
    metrics: ['sold'],
    view: 'table',
    top: '20',
    compare: undefined,
  })
  expect(read({ view: 'pivot' }).view).toBe('table')
})

test('two dimensions have at most four metrics', () => {
  const metrics = 'leads,sold,profit,hold,returned'
  expect(read({ metrics }).metrics).toHaveLength(5)
  expect(read({ metrics, columns: 'source' }).metrics).toHaveLength(4)
})

test('a filter by no value is in `without`, beside the other values', () => {
  const none = changeFilter(read({ without: 'sub2' }).filters, 'region', [''])
  expect(none).toEqual({ region: '', without: 'region,sub2' })
  expect(changeFilter(read({ without: 'region,sub2' }).filters, 'region', ['Buxoro', ''])).toEqual({
    region: 'Buxoro',
    without: 'region,sub2',
  })
  expect(changeFilter(read({ without: 'region,sub2' }).filters, 'region', ['Buxoro'])).toEqual({
    region: 'Buxoro',
    without: 'sub2',
  })
  expect(changeFilter(read({ source: '3' }).filters, 'source', [])).toEqual({ source: '', without: '' })
})

test('a filter has several values, and a text with commas is one value', () => {
  const values = { source: '3,5', region: 'Olmazor, Toshkent\u001FBuxoro', without: 'region' }
  const { filters } = read(values)
  expect(filters).toEqual({ source: ['3', '5'], region: ['Olmazor, Toshkent', 'Buxoro', ''] })
  expect(writeFilters(filters)).toEqual(values)
  expect(read({ source: ',', region: '\u001F' }).filters).toEqual({})
})
