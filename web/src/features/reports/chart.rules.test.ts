import { expect, it } from 'vitest'
import { getBarLength, getTicks, toDayBars, toNamedBars, roundUp, sumBars } from './chart.rules.ts'

const figures = { leads: 40, accepted: 9, cancel: 1, recall: 2, send: 3, sold: 4, returned: 5, hold: 6 }
const money = { profit: 7.5, hold_amount: 0, approve_rate: null, buyout_rate: null }
const counts = { sold: 4, sent: 3, waiting: 8, lost: 6 }

it('stacks a day in four layers, oldest day first', () => {
  const days = toDayBars([
    { date: '2026-11-02', ...figures, ...money },
    { date: '2026-11-01', ...figures, ...money, sold: 0 },
  ])
  expect(days.map(({ date }) => date)).toEqual(['2026-11-01', '2026-11-02'])
  expect(days[1]).toEqual({ date: '2026-11-02', leads: 40, profit: 7.5, counts })
  expect(days.map(getBarLength)).toEqual([17, 21])
})

it('keeps the order of offers and tells those of one name apart', () => {
  const bars = toNamedBars([
    { id: 2, name: 'Lamp', ...figures, ...money },
    { id: 1, name: 'Lamp', ...figures, ...money, leads: 2 },
  ])
  expect(bars[0]).toEqual({ key: '2 Lamp', name: 'Lamp', leads: 40, profit: 7.5, counts })
  expect(new Set(bars.map(({ key }) => key)).size).toBe(2)
  expect(sumBars(bars, ({ leads }) => leads)).toBe(42)
})

it('rounds the top of the scale up', () => {
  expect([0, 1, 1.1, 7, 10, 11, 240, 501].map(roundUp)).toEqual([1, 1, 2, 10, 10, 20, 500, 1000])
})

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [1234567, [0, 500_000, 1_000_000, 1_500_000]],
])('an axis up to %d has round ticks in equal steps', (max, ticks) => {
  expect(getTicks(max, 4)).toEqual(ticks)
})
