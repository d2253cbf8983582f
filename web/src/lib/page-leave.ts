// Milliseconds after the begin of a navigation in which the browser aborts calls, and for which the page then waits.
const abortPeriodMs = 1000
const waitMs = 10_000

let leaveTime = Number.NEGATIVE_INFINITY

/** Notes when the person begins to leave the page. */
export function watchLeaving(): void {
  window.addEventListener('beforeunload', () => {
    leaveTime = performance.now()
  })
}

/**
 * Waits if the page is being left. Firefox then aborts the running calls, and shows the page until the next one has come.
 * An error that is thrown afterwards is shown only where the person stopped the navigation.
 */
export async function waitWhileLeaving(): Promise<void> {
  if (performance.now() - leaveTime < abortPeriodMs)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
}
