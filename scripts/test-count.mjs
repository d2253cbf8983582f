// Counts from the test runners' own JSON reports.

/** Of Vitest's json reporter; undefined when it wrote none. */
export function countVitest(report) {
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  }
}

/** Of Playwright's json reporter. Nothing is repeated, so nothing is flaky. */
export function countPlaywright(report) {
  const { expected = 0, unexpected = 0, skipped = 0 } = report?.stats ?? {}
  return { passed: expected, failed: unexpected, skipped }
}

/** The sum of several counts. */
export function totalOf(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** The line that a test run ends with. */
export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`
