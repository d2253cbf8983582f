import { launchChromium } from '../../e2e/src/chromium.ts'
import type { Bench } from './benches.ts'
import { startPeer } from './peer.ts'
import { openPage, type Page } from './screen.ts'

const rows = 200

/** The time from Back to the last row of a cached list. */
export const tableMount: Bench = {
  name: 'table-200',
  question: `A list of ${rows} offers mounts, in the web and in react-admin’s Datagrid, with the same rows and columns, none of them selectable`,
  unit: 'ms',
  aim: { most: 0.5 },
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
    return {
      contenders: [
        { name: 'Karvon', measure: () => measureMount(own, 'a[href="/streams"]') },
        { name: `react-admin ${peer.version}`, measure: () => measureMount(other, 'a[href="#/streams"]') },
      ],
      close: async () => {
        await browser.close()
        await peer.close()
      },
    }
  },
}

/** Runs in the page. Skeleton rows do not count. */
const hasRows = (rows: number) => document.querySelectorAll('tbody tr:not([data-skeleton])').length === rows

/** Opens the link, goes back, and returns the milliseconds until the last row is painted. */
async function measureMount(page: Page, link: string): Promise<number> {
  await page.bringToFront()
  await page.locator(link).first().click()
  await page.waitForFunction((rows) => document.querySelectorAll('tbody tr').length !== rows, rows)
  await page.waitForLoadState('networkidle')
  return page.evaluate(async (rows) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const done = () => document.querySelectorAll('tbody tr:not([data-skeleton])').length === rows
    const start = performance.now()
    history.back()
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 1))
    await frame()
    await frame()
    return performance.now() - start
  }, rows)
}
