import { expect, test } from 'vitest'
import { closingLine, countPlaywright, countVitest } from './test-count.mjs'

test('counts of both runners add up in one line', () => {
  const unit = countVitest({ numPassedTests: 10, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 })
  const journeys = countPlaywright({ stats: { expected: 4, unexpected: 2, flaky: 1, skipped: 1 } })
  expect(closingLine([unit, journeys])).toBe('Tests: 15 passed, 3 failed, 4 skipped')
})

test('a runner that wrote no report counts as nothing', () => {
  expect(countVitest(undefined)).toEqual({ passed: 0, failed: 0, skipped: 0 })
  expect(countPlaywright(undefined)).toEqual({ passed: 0, failed: 0, skipped: 0 })
})
