import { expect, test } from 'vitest'
import { canReadTimes, listChildren, readTimesByProcess, readProcessorTime, sumBetween } from './processor.ts'

// 300 ms of work can take seconds on a busy machine.
test.runIf(canReadTimes)(
  'work counts as processor time, and waiting does not',
  { timeout: 60_000 },
  async () => {
    const start = readProcessorTime(process.pid)
    const exactly = readTimesByProcess([process.pid])
    const ownUsage = process.cpuUsage()
    while (process.cpuUsage(ownUsage).user < 300_000) Math.sqrt(2)
    const { user, system } = process.cpuUsage(ownUsage)
    const usedSeconds = (user + system) / 1e6
    const workedSeconds = readProcessorTime(process.pid) - start
    expect(workedSeconds).toBeGreaterThan(0.8 * usedSeconds)
    expect(sumBetween(exactly, readTimesByProcess([process.pid]))).toBeGreaterThan(800 * usedSeconds)
    const before = readProcessorTime(process.pid)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(readProcessorTime(process.pid) - before).toBeLessThan(workedSeconds)
  },
)

test.runIf(canReadTimes)('an ended process has used no processor time', () => {
  expect(readProcessorTime(2 ** 30)).toBe(0)
  expect(readTimesByProcess([2 ** 30])).toEqual(new Map([[2 ** 30, 0]]))
})

test.runIf(canReadTimes)('listChildren lists the children of a process', () => {
  expect(listChildren(process.ppid)).toContain(process.pid)
})

test('processor time between two readings includes new processes and not ended ones', () => {
  const before = new Map([
    [1, 10],
    [2, 50],
  ])
  const after = new Map([
    [1, 13],
    [3, 4],
  ])
  expect(sumBetween(before, after)).toBe(7)
})
