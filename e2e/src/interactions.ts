import { appendFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

/** A file that gets one line for each recorded interaction. Without it nothing is recorded. */
export const interactionsFile = process.env['KARVON_E2E_INTERACTIONS']

/**
 * Appends the milliseconds from each click, key and touch of the page to its next paint. The browser reports interactions of
 * 16 ms and more.
 */
export async function recordInteractions(page: Page, file: string): Promise<void> {
  await page.exposeFunction('reportInteraction', (line: string) => appendFileSync(file, `${line}\n`))
  await page.addInitScript(() => {
    const { reportInteraction } = globalThis as unknown as { reportInteraction: (line: string) => void }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { name, duration, interactionId } = entry as PerformanceEventTiming & { interactionId: number }
        // Ids are unique in a document.
        const id = `${performance.timeOrigin}.${interactionId}`
        if (interactionId > 0) reportInteraction(`${id} ${duration} ${name} ${location.pathname}`)
      }
      // The type of TypeScript lacks the threshold.
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
}
