import { expect, test } from 'vitest'
import { closingLines, countPlaywright, countVitest, sumCounts } from './test-count.mjs'

const noCounts = { passed: 0, failed: 0, skipped: 0, failures: [] }

test('the counts of both runners are summed in the closing line', () => {
  const unit = countVitest({ numPassedTests: 10, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 })
  const browser = countPlaywright({ stats: { expected: 4, unexpected: 2, skipped: 1 } })
  const total = sumCounts([unit, browser])
  expect(total).toEqual({ passed: 14, failed: 3, skipped: 4, failures: [] })
  expect(closingLines(total)).toBe('14 passed, 3 failed')
})

test('a runner without a report counts as zero', () => {
  expect(countVitest(undefined)).toEqual(noCounts)
  expect(countPlaywright(undefined)).toEqual(noCounts)
})

test('the closing lines name each failed test with the beginning of its message', () => {
  const unit = countVitest({
    numFailedTests: 1,
    testResults: [
      {
        name: 'server/a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'a passes', status: 'passed', failureMessages: [] },
          {
            fullName: 'a fails',
            status: 'failed',
            failureMessages: ['\u001B[31mone\u001B[39m\n\ntwo\n3\n4\n5'],
          },
        ],
      },
      { name: 'server/b.test.ts', status: 'failed', message: 'cannot be loaded', assertionResults: [] },
    ],
  })
  const spec = { file: 'c.spec.ts', title: 'c fails', ok: false }
  const browser = countPlaywright({
    stats: { unexpected: 1 },
    suites: [{ suites: [{ specs: [{ ...spec, tests: [{ results: [{ error: { message: 'late' } }] }] }] }] }],
  })
  expect(closingLines(sumCounts([unit, browser])).split('\n')).toEqual([
    'FAILED server/a.test.ts › a fails',
    '    one',
    '    two',
    '    3',
    '    4',
    'FAILED server/b.test.ts',
    '    cannot be loaded',
    'FAILED c.spec.ts › c fails',
    '    late',
    '0 passed, 2 failed',
  ])
})

test('the closing lines show twenty failed tests at most', () => {
  const failures = Array.from({ length: 23 }, (_, index) => ({ file: `${index}`, title: '', message: 'no' }))
  const lines = closingLines({ ...noCounts, failed: 23, failures }).split('\n')
  expect(lines).toHaveLength(2 * 20 + 2)
  expect(lines.at(-2)).toBe('... and 3 more')
})
