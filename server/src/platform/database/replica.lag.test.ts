import { expect, test } from 'vitest'
import { LagSamples } from './replica.lag.ts'

test('the bound is the position of the primary before the longest lag, or the oldest known position after a pause without calls', () => {
  const samples = new LagSamples(1000)
  for (let at = 0; at <= 5000; at += 10) samples.add(at * 7, at)
  // A sample each 100 ms.
  expect(samples.findBound(5000)).toBe(4000 * 7)
  samples.add(9000 * 7, 9000)
  samples.add(9500 * 7, 9500)
  expect(samples.findBound(9500)).toBe(9000 * 7)
})

test('the lag is that of the last call, and does not grow while no call comes', () => {
  const samples = new LagSamples(1000)
  for (let at = 0; at <= 5050; at += 10) samples.add(at * 7, at)
  expect(samples.measureLag(4500 * 7)).toBe(450)
  expect(samples.measureLag(5000 * 7)).toBe(0)
})
