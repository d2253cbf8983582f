// Reads counts and failed tests from the JSON reports of the test runners.

import { stripVTControlCharacters } from 'node:util'

// Limits of the closing lines.
const maxFailures = 20
const maxMessageLines = 4

/** Counts a report of Vitest; undefined if there is none. A file that cannot be loaded is a failure without a test. */
export function countVitest(report) {
  const files = report?.testResults ?? []
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures: files.flatMap(({ name, status, message, assertionResults }) => {
      const failedTests = assertionResults.filter((test) => test.status === 'failed')
      if (failedTests.length === 0 && status === 'failed') return [failure(name, '', message)]
      return failedTests.map((test) => failure(name, test.fullName, test.failureMessages[0]))
    }),
  }
}

/** Counts a report of Playwright. It has no flaky tests, because no test is repeated. */
export function countPlaywright(report) {
  const { expected = 0, unexpected = 0, skipped = 0 } = report?.stats ?? {}
  return {
    passed: expected,
    failed: unexpected,
    skipped,
    failures: [
      ...(report?.errors ?? []).map(({ message }) => failure('', '', message)),
      ...(report?.suites ?? []).flatMap(failedSpecs),
    ],
  }
}

const failedSpecs = (suite) => [
  ...(suite.suites ?? []).flatMap(failedSpecs),
  ...(suite.specs ?? [])
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) =>
      failure(file, title, tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message),
    ),
]

function failure(file, title, message = '') {
  const plain = stripVTControlCharacters(message)
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  return { file, title, message: lines.slice(0, maxMessageLines).join('\n') }
}

/** The sum of several counts. */
export function sumCounts(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: counts.flatMap(({ failures }) => failures),
  }
}

/** The last lines of a test run: each failed test with the beginning of its message, and the counts. */
export function closingLines({ passed, failed, failures }) {
  const shownFailures = failures.slice(0, maxFailures).map(({ file, title, message }) => {
    const name = [file, title].filter((part) => part !== '').join(' › ')
    return `FAILED ${name}\n${message.replaceAll(/^/gm, '    ')}`
  })
  const hiddenCount = failures.length - shownFailures.length
  return [
    ...shownFailures,
    ...(hiddenCount > 0 ? [`... and ${hiddenCount} more`] : []),
    `${passed} passed, ${failed} failed`,
  ].join('\n')
}
