import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNoisy, computeRatios, computeSpread } from './figures.ts'
import { measureAlternately } from './rounds.ts'

test('the median is the middle round, or the mean of the two middle rounds', () => {
  expect(computeSpread([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 })
  expect(computeSpread([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 })
  expect(computeSpread([7])).toEqual({ median: 7, min: 7, max: 7 })
})

test('as many rounds are below the median as above', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), (rounds) => {
      const { median, min, max } = computeSpread(rounds)
      expect(rounds.filter((round) => round < median).length).toBe(
        rounds.filter((round) => round > median).length,
      )
      expect([min, max]).toEqual([Math.min(...rounds), Math.max(...rounds)])
    }),
  )
})

test('a ratio is computed for each round, not from the medians', () => {
  // The machine becomes half as fast in the second round, and the ratio stays the same.
  expect(computeRatios([80, 40, 90], [100, 50, 100])).toEqual([0.8, 0.8, 0.9])
  expect(isNoisy(computeSpread([0.8, 0.8, 0.9]))).toBe(false)
  expect(isNoisy(computeSpread([0.5, 0.8, 0.9]))).toBe(true)
})

test('contenders alternate in reversed order, after a warm-up round', async () => {
  const order: string[] = []
  const contender = (name: string) => ({
    name,
    measure: async () => order.push(name),
  })
  const figures = await measureAlternately([contender('a'), contender('b')], 2)
  expect(order).toEqual(['b', 'a', 'a', 'b', 'b', 'a'])
  expect(figures).toEqual([
    [3, 6],
    [4, 5],
  ])
})
