import { expect, it } from 'vitest'
import { barHeight, chartDays, roundUp } from './daily-chart.rules.ts'

const figures = { leads: 40, accepted: 9, cancel: 1, recall: 2, send: 3, sold: 4, returned: 5, hold: 6 }
const money = { profit: 7.5, hold_amount: 0, approve_rate: null, buyout_rate: null }

it('stacks a day in four layers, oldest day first', () => {
  const days = chartDays([
    { date: '2026-11-02', ...figures, ...money },
    { date: '2026-11-01', ...figures, ...money, sold: 0 },
  ])
  expect(days.map(({ date }) => date)).toEqual(['2026-11-01', '2026-11-02'])
  expect(days[1]).toEqual({
    date: '2026-11-02',
    leads: 40,
    profit: 7.5,
    counts: { sold: 4, sent: 3, waiting: 8, lost: 6 },
  })
  expect(days.map(barHeight)).toEqual([17, 21])
})

it('rounds the top of the scale up', () => {
  expect([0, 1, 1.1, 7, 10, 11, 240, 501].map(roundUp)).toEqual([1, 1, 2, 10, 10, 20, 500, 1000])
})
