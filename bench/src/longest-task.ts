import type { Page } from './screen.ts'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** The milliseconds of processor time of the longest task of the page's main thread while `act` runs. */
export async function measureLongestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser')
  await browser.startTracing(page, { categories: ['toplevel'] })
  await act()
  // An answer of the page can come before its task ends.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const nameThread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(nameThread),
  )
  const tasks = traceEvents.filter((event) => event.ph === 'X' && mainThreads.has(nameThread(event)))
  if (tasks.length === 0) throw new Error('The trace has no task of the page')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

/** Draws plain rows of seven cells in one task. */
export const drawPlainRows = (page: Page, rows: number): Promise<void> =>
  page.evaluate((count) => {
    const table = document.createElement('table')
    for (let n = 0; n < count; n += 1) {
      const row = table.insertRow()
      for (let cell = 0; cell < 7; cell += 1) row.insertCell().textContent = `Cell ${cell} of ${n}`
    }
    document.body.append(table)
    table.getBoundingClientRect()
    table.remove()
  }, rows)
