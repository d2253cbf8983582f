import { launchChromium } from '../../e2e/src/chromium.ts'
import type { Bench } from './benches.ts'
import { startPeer } from './peer.ts'
import { openPage, type Page } from './screen.ts'

const rows = 200

interface Mount {
  /** Milliseconds from Back to the last row of a cached list. */
  clock: number
  /** Milliseconds of processor time of the page's main thread until then. */
  processor: number
}

const question = `A list of ${rows} offers mounts, in the web and in react-admin’s Datagrid, with the same rows and columns, none of them selectable`

const createBench = (
  { name, question, aim }: Pick<Bench, 'name' | 'question' | 'aim'>,
  select: (mount: Mount) => number,
): Bench => ({
  name,
  question,
  unit: 'ms',
  aim,
  async prepare({ app, token, session }) {
    const answer = await fetch(`${app.url}/api/admin/offers/?per_page=${rows}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { items } = (await answer.json()) as { items: unknown[] }
    if (items.length !== rows) throw new Error(`The product has ${items.length} offers to show, not ${rows}`)
    const browser = await launchChromium()
    const peer = await startPeer(items)
    const open = async (page: Page, url: string) => {
      await page.goto(url)
      await page.waitForFunction(hasRows, rows)
      return page
    }
    const own = await open(await openPage(browser, session), `${app.url}/offers?size=${rows}`)
    const other = await open(await openPage(browser), `${peer.url}/?rows=${rows}#/offers`)
    const createContender = async (name: string, page: Page, link: string) => {
      const readProcessor = await watchProcessor(page)
      return { name, measure: async () => select(await measureMount(page, { link, readProcessor })) }
    }
    return {
      contenders: [
        await createContender('Karvon', own, 'a[href="/streams"]'),
        await createContender(`react-admin ${peer.version}`, other, 'a[href="#/streams"]'),
      ],
      close: async () => {
        await browser.close()
        await peer.close()
      },
    }
  },
})

export const tableMounts: readonly Bench[] = [
  createBench({ name: 'table-200', question, aim: { most: 0.3 } }, ({ clock }) => clock),
  createBench(
    {
      name: 'table-200-cost',
      question: `${question}: the processor time of the page’s main thread, which a busy machine affects less`,
      aim: { most: 0.4 },
    },
    ({ processor }) => processor,
  ),
]

/** A function that reads the milliseconds of processor time of the page's main thread. */
async function watchProcessor(page: Page): Promise<() => Promise<number>> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await browser.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
}

/** Runs in the page. Skeleton rows do not count. */
const hasRows = (rows: number) => document.querySelectorAll('tbody tr:not([data-skeleton])').length === rows

/** Opens the link, goes back, and measures until the last row is painted. */
async function measureMount(
  page: Page,
  { link, readProcessor }: { link: string; readProcessor: () => Promise<number> },
): Promise<Mount> {
  await page.bringToFront()
  await page.locator(link).first().click()
  await page.waitForFunction((rows) => document.querySelectorAll('tbody tr').length !== rows, rows)
  await page.waitForLoadState('networkidle')
  const processorBefore = await readProcessor()
  const clock = await page.evaluate(async (rows) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const done = () => document.querySelectorAll('tbody tr:not([data-skeleton])').length === rows
    const { port1, port2 } = new MessageChannel()
    const start = performance.now()
    history.back()
    do await frame()
    while (!done())
    // The frame that has all rows is painted directly before the next task.
    await new Promise((resolve) => {
      port1.addEventListener('message', resolve, { once: true })
      port1.start()
      port2.postMessage(null)
    })
    return performance.now() - start
  }, rows)
  return { clock, processor: (await readProcessor()) - processorBefore }
}
