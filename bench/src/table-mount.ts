import { launchChromium } from '../../e2e/src/chromium.ts'
import type { Bench } from './benches.ts'
import { startPeer } from './peer.ts'
import { newPage, type Page } from './screen.ts'

const rows = 200

/** From going back to a list that is in the browser's memory to its last row on the screen. */
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
    if (items.length !== rows) throw new Error(`The desk has ${items.length} offers to show, not ${rows}`)
    const browser = await launchChromium()
    const peer = await startPeer(items)
    const open = async (page: Page, url: string) => {
      await page.goto(url)
      await page.waitForFunction(shown, rows)
      return page
    }
    const own = await open(await newPage(browser, session), `${app.url}/offers?size=${rows}`)
    const other = await open(await newPage(browser), `${peer.url}/?rows=${rows}#/offers`)
    return {
      contenders: [
        { name: 'Karvon', measure: () => mount(own, 'a[href="/streams"]') },
        { name: `react-admin ${peer.version}`, measure: () => mount(other, 'a[href="#/streams"]') },
      ],
      close: async () => {
        await browser.close()
        await peer.close()
      },
    }
  },
}

/** Runs in the page. Rows of skeletons do not count. */
const shown = (rows: number) => document.querySelectorAll('tbody tr:not([data-skeleton])').length === rows

/** Leaves by the link, comes back, and answers how long that took until the last row was painted. */
async function mount(page: Page, away: string): Promise<number> {
  await page.bringToFront()
  await page.locator(away).first().click()
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
