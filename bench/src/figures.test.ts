import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNoisy, ratios, spread } from './figures.ts'
import { alternate } from './rounds.ts'

test('the median lies in the middle, of an even number of rounds half way', () => {
  expect(spread([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 })
  expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 })
  expect(spread([7])).toEqual({ median: 7, min: 7, max: 7 })
})

test('as many rounds lie below the median as above', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), (rounds) => {
      const { median, min, max } = spread(rounds)
      expect(rounds.filter((each) => each < median).length).toBe(
        rounds.filter((each) => each > median).length,
      )
      expect([min, max]).toEqual([Math.min(...rounds), Math.max(...rounds)])
    }),
  )
})

test('a ratio is taken round by round, not of the medians', () => {
  // The machine halves in speed in the second round: the ratio stays.
  expect(ratios([80, 40, 90], [100, 50, 100])).toEqual([0.8, 0.8, 0.9])
  expect(isNoisy(spread([0.8, 0.8, 0.9]))).toBe(false)
  expect(isNoisy(spread([0.5, 0.8, 0.9]))).toBe(true)
})

test('contenders take turns, the first turn only warms up, and the order turns round', async () => {
  const seen: string[] = []
  const contender = (name: string) => ({
    name,
    measure: async () => seen.push(name),
  })
  const figures = await alternate([contender('a'), contender('b')], 2)
  expect(seen).toEqual(['b', 'a', 'a', 'b', 'b', 'a'])
  expect(figures).toEqual([
    [3, 6],
    [4, 5],
  ])
})
