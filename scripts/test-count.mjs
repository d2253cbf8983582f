// Counts from the test runners' own JSON reports.

/** Of Vitest's json reporter; undefined when it wrote none. */
export function countVitest(report) {
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  }
}

/** Of Playwright's json reporter; a test that passed only when repeated has passed. */
export function countPlaywright(report) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {}
  return { passed: expected + flaky, failed: unexpected, skipped }
}

/** The one line that a test run ends with. */
export function closingLine(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0)
  return `Tests: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`
}
