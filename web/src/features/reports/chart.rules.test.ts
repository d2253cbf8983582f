import { expect, it } from 'vitest'
import { getBarLength, toDayBars, toNamedBars, sumBars } from './chart.rules.ts'

const figures = { leads: 40, accepted: 9, cancel: 1, recall: 2, send: 3, sold: 4, returned: 5, hold: 6 }
const money = { profit: 7.5, hold_amount: 0, approve_rate: null, buyout_rate: null }
const counts = { sold: 4, sent: 12, waiting: 8, lost: 6 }

it('the daily chart stacks a day in four layers, with the oldest day first', () => {
  const days = toDayBars([
    { date: '2026-11-02', ...figures, ...money },
    { date: '2026-11-01', ...figures, ...money, sold: 0 },
  ])
  expect(days.map(({ date }) => date)).toEqual(['2026-11-01', '2026-11-02'])
  expect(days[1]).toEqual({ date: '2026-11-02', leads: 40, profit: 7.5, counts })
  expect(days.map(getBarLength)).toEqual([26, 30])
})

it('the chart keeps the order of offers and distinguishes equal names', () => {
  const bars = toNamedBars([
    { id: 2, name: 'Lamp', ...figures, ...money },
    { id: 1, name: 'Lamp', ...figures, ...money, leads: 2 },
  ])
  expect(bars[0]).toEqual({ key: '2 Lamp', name: 'Lamp', leads: 40, profit: 7.5, counts })
  expect(new Set(bars.map(({ key }) => key)).size).toBe(2)
  expect(sumBars(bars, ({ leads }) => leads)).toBe(42)
})

it('a row without a date is no bar, and a figure that is missing counts as 0', () => {
  expect(toDayBars([{ ...figures, ...money }])).toEqual([])
  expect(toDayBars([{ date: '2026-11-01' }])).toEqual([
    { date: '2026-11-01', leads: 0, profit: 0, counts: { sold: 0, sent: 0, waiting: 0, lost: 0 } },
  ])
})

it('a row without a name shows a dash, and rows without an id are distinguished by their position', () => {
  const bars = toNamedBars([
    { ...figures, ...money },
    { name: 'Lamp', ...figures, ...money },
  ])
  expect(bars.map(({ key, name }) => [key, name])).toEqual([
    ['0', '—'],
    ['1', 'Lamp'],
  ])
})
