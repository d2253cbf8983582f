import { expect, test } from 'vitest'
import { canRead, processorTime } from './processor.ts'

test.runIf(canRead)('work shows as processor time, and waiting does not', async () => {
  const start = processorTime(process.pid)
  const until = process.cpuUsage().user + 300_000
  while (process.cpuUsage().user < until) Math.sqrt(until)
  const worked = processorTime(process.pid) - start
  expect(worked).toBeGreaterThan(0.25)
  const before = processorTime(process.pid)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(processorTime(process.pid) - before).toBeLessThan(0.25)
})

test.runIf(canRead)('a process that has ended has used none', () => {
  expect(processorTime(2 ** 30)).toBe(0)
})
