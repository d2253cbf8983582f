import { expect, test } from 'vitest'
import { canRead, childrenOf, exactTimes, processorTime, timeBetween } from './processor.ts'

// 300 ms of work take seconds where the machine is busy.
test.runIf(canRead)('work shows as processor time, and waiting does not', { timeout: 60_000 }, async () => {
  const start = processorTime(process.pid)
  const exactly = exactTimes([process.pid])
  const own = process.cpuUsage()
  while (process.cpuUsage(own).user < 300_000) Math.sqrt(2)
  const { user, system } = process.cpuUsage(own)
  const used = (user + system) / 1e6
  const worked = processorTime(process.pid) - start
  expect(worked).toBeGreaterThan(0.8 * used)
  expect(timeBetween(exactly, exactTimes([process.pid]))).toBeGreaterThan(800 * used)
  const before = processorTime(process.pid)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(processorTime(process.pid) - before).toBeLessThan(worked)
})

test.runIf(canRead)('a process that has ended has used none', () => {
  expect(processorTime(2 ** 30)).toBe(0)
  expect(exactTimes([2 ** 30])).toEqual(new Map([[2 ** 30, 0]]))
})

test.runIf(canRead)('a process knows its children', () => {
  expect(childrenOf(process.ppid)).toContain(process.pid)
})

test('processor time between two readings counts who began, and not who ended', () => {
  const before = new Map([
    [1, 10],
    [2, 50],
  ])
  const after = new Map([
    [1, 13],
    [3, 4],
  ])
  expect(timeBetween(before, after)).toBe(7)
})
