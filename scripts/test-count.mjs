// Counts and failed tests from the test runners' own JSON reports.

import { stripVTControlCharacters } from 'node:util'

// What the closing lines show of one run at most.
const failuresAtMost = 20
const linesOfMessage = 4

/** Of Vitest's json reporter; undefined when it wrote none. A file that cannot be loaded is a failure without a test. */
export function countVitest(report) {
  const files = report?.testResults ?? []
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures: files.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      if (failed.length === 0 && status === 'failed') return [failure(name, '', message)]
      return failed.map((test) => failure(name, test.fullName, test.failureMessages[0]))
    }),
  }
}

/** Of Playwright's json reporter. Nothing is repeated, so nothing is flaky. */
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
  return { file, title, message: lines.slice(0, linesOfMessage).join('\n') }
}

/** The sum of several counts. */
export function totalOf(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: counts.flatMap(({ failures }) => failures),
  }
}

/** What a test run ends with: each failed test with the beginning of its message, then the line of the counts. */
export function closingLines({ passed, failed, failures }) {
  const shown = failures.slice(0, failuresAtMost).map(({ file, title, message }) => {
    const name = [file, title].filter((part) => part !== '').join(' › ')
    return `FAILED ${name}\n${message.replaceAll(/^/gm, '    ')}`
  })
  const more = failures.length - shown.length
  return [...shown, ...(more > 0 ? [`... and ${more} more`] : []), `${passed} passed, ${failed} failed`].join(
    '\n',
  )
}
