import { expect, test } from 'vitest'
import { computePercentile, readDurations } from './interactions.ts'

test('an interaction of several events counts once, with its longest event', () => {
  expect(readDurations('a.1 24 pointerdown\na.1 56 click\na.2 16 keydown\nb.1 32 click\n')).toEqual([
    56, 16, 32,
  ])
})

test('the 95th percentile of a hundred values is the 95th', () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1)
  expect(computePercentile(values, 0.95)).toBe(95)
  expect(computePercentile(values, 1)).toBe(100)
})
