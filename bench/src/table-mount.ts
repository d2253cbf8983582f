import { launchChromium } from '../../e2e/src/chromium.ts'
import type { Bench } from './benches.ts'
import { drawPlainRows, measureLongestTask } from './longest-task.ts'
import { startPeer } from './peer.ts'
import type { BenchProduct } from './product.ts'
import { openPage, type Page } from './screen.ts'

const rows = 200
/** The link of the web that leaves the list. */
const ownLink = 'a[href="/streams"]'

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
  async prepare(product) {
    const browser = await launchChromium()
    const peer = await startPeer(await readOffers(product))
    const own = await openList(
      await openPage(browser, product.session),
      `${product.app.url}/offers?size=${rows}`,
    )
    const otherTable = await openList(await openPage(browser), `${peer.url}/?rows=${rows}#/offers`)
    const createContender = async (name: string, page: Page, link: string) => {
      const readProcessor = await watchProcessor(page)
      return { name, measure: async () => select(await measureMount(page, { link, readProcessor })) }
    }
    return {
      contenders: [
        await createContender('Karvon', own, ownLink),
        await createContender(`react-admin ${peer.version}`, otherTable, 'a[href="#/streams"]'),
      ],
      close: async () => {
        await browser.close()
        await peer.close()
      },
    }
  },
})

/** Compares the longest task of the mount with that of twice as many rows without any code. */
const longestTask: Bench = {
  name: 'table-200-task',
  question: `The longest task of the page’s main thread while a list of ${rows} offers mounts, by processor time, against a task that draws ${2 * rows} plain rows of seven cells`,
  unit: 'ms',
  aim: { most: 2 },
  async prepare(product) {
    await readOffers(product)
    const browser = await launchChromium()
    const page = await openList(
      await openPage(browser, product.session),
      `${product.app.url}/offers?size=${rows}`,
    )
    const measureBack = async () => {
      await leaveList(page, ownLink)
      return measureLongestTask(page, () => goBack(page))
    }
    return {
      contenders: [
        { name: 'Karvon', measure: measureBack },
        { name: 'plain rows', measure: () => measureLongestTask(page, () => drawPlainRows(page, 2 * rows)) },
      ],
      close: () => browser.close(),
    }
  },
}

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
  longestTask,
]

/** The product's first offers. Throws if there are too few of them. */
async function readOffers({ app, token }: Pick<BenchProduct, 'app' | 'token'>): Promise<unknown[]> {
  const answer = await fetch(`${app.url}/api/admin/offers/?per_page=${rows}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { items } = (await answer.json()) as { items: unknown[] }
  if (items.length !== rows) throw new Error(`The product has ${items.length} offers to show, not ${rows}`)
  return items
}

async function openList(page: Page, url: string): Promise<Page> {
  await page.goto(url)
  await page.waitForFunction(hasRows, rows)
  return page
}

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

/** Opens another list by the link. The page is idle afterwards. */
async function leaveList(page: Page, link: string): Promise<void> {
  await page.bringToFront()
  await page.locator(link).first().click()
  await page.waitForFunction((rows) => document.querySelectorAll('tbody tr').length !== rows, rows)
  await page.waitForLoadState('networkidle')
}

/** Opens the link, goes back, and measures until the last row is painted. */
async function measureMount(
  page: Page,
  { link, readProcessor }: { link: string; readProcessor: () => Promise<number> },
): Promise<Mount> {
  await leaveList(page, link)
  const processorBefore = await readProcessor()
  const clock = await goBack(page)
  return { clock, processor: (await readProcessor()) - processorBefore }
}

/** Goes back to the list. Returns the milliseconds until its last row is painted. */
const goBack = (page: Page): Promise<number> =>
  page.evaluate(async (rows) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const isDone = () => document.querySelectorAll('tbody tr:not([data-skeleton])').length === rows
    const { port1, port2 } = new MessageChannel()
    const start = performance.now()
    history.back()
    do await frame()
    while (!isDone())
    // The frame that has all rows is painted directly before the next task.
    await new Promise((resolve) => {
      port1.addEventListener('message', resolve, { once: true })
      port1.start()
      port2.postMessage(null)
    })
    return performance.now() - start
  }, rows)
