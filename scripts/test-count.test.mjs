import { expect, test } from 'vitest'
import { closingLine, countPlaywright, countVitest, totalOf } from './test-count.mjs'

test('the counts of both kinds of runner add up in one closing line', () => {
  const unit = countVitest({ numPassedTests: 10, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 })
  const browser = countPlaywright({ stats: { expected: 4, unexpected: 2, skipped: 1 } })
  const total = totalOf([unit, browser])
  expect(total).toEqual({ passed: 14, failed: 3, skipped: 4 })
  expect(closingLine(total)).toBe('14 passed, 3 failed')
})

test('a runner that wrote no report counts as nothing', () => {
  expect(countVitest(undefined)).toEqual({ passed: 0, failed: 0, skipped: 0 })
  expect(countPlaywright(undefined)).toEqual({ passed: 0, failed: 0, skipped: 0 })
})
