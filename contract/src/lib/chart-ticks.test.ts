import { expect, it } from 'vitest'
import { getTicks, roundUp } from './chart-ticks.ts'

it('the top of the scale is rounded up', () => {
  expect([0, 1, 1.1, 7, 10, 11, 240, 501].map(roundUp)).toEqual([1, 1, 2, 10, 10, 20, 500, 1000])
})

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [0.5, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [1234567, [0, 500_000, 1_000_000, 1_500_000]],
])('an axis up to %d has round ticks in equal steps', (max, ticks) => {
  expect(getTicks(max, 4)).toEqual(ticks)
})
