import type { Page } from '@playwright/test'
import { expect, openSigned, test } from '../src/keyboard.ts'
import { looksOf, sampleOf, variants } from '../src/extent.ts'

const screens = [
  '/parcels',
  '/uploads',
  '/uploads?tab=notices',
  '/users',
  '/users?tab=roles',
  '/users?tab=roles&view=access',
  '/users?tab=source-credentials',
  '/audit',
  '/sessions',
  '/settings/cpa-websites',
  '/settings/cpa-websites?tab=credentials',
  '/settings/cpa-websites?tab=connectors',
  '/settings/courier',
  '/settings/statuses',
  '/settings/statuses?tab=statuses',
  '/settings/statuses?tab=source-statuses',
  '/offers',
  '/streams',
  '/statistics',
  '/statistics?tab=offers',
  '/statistics?tab=streams',
  '/statistics?tab=money',
  '/leads',
  '/leads?tab=unmapped',
  '/leads?tab=postbacks',
  '/leads?tab=outgoing',
  '/leads?tab=templates',
  '/profile',
  '/components-demo',
]

/** Milliseconds that each answer is kept back, so that the page is drawn before it as on a slow line. */
const late = 250

/** What may move while a screen loads: a share of the window times a share of its height. */
const most = 0.01

interface Move {
  value: number
  what: string
}

/** Watches what moves without anybody's doing, from the first drawing on. */
async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moves: Move[] = []
    Object.assign(window, { moves })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: { node: Node | null }[]
        }
        if (hadRecentInput) continue
        const names = sources.map(({ node }) =>
          node instanceof Element ? `${node.tagName}.${node.className}` : (node?.textContent ?? ''),
        )
        moves.push({ value, what: names.join(', ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const movesOf = (page: Page) => page.evaluate(() => (window as unknown as { moves: Move[] }).moves)

for (const width of looksOf([360, 1440])) {
  test(
    `nothing jumps while a screen loads at ${width} px, the first time and the next`,
    variants,
    async ({ page, api }) => {
      test.setTimeout(300_000)
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
      await watchMoves(page)
      await page.route(/\/(?:api|parcel)\//, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, late))
        await route.fallback()
      })
      for (const path of sampleOf(screens)) {
        for (const time of ['first', 'next']) {
          await openSigned(page, api, path)
          await expect(page.getByRole('main')).toBeVisible()
          await page.waitForLoadState('networkidle')
          await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
          const moves = await movesOf(page)
          const sum = moves.reduce((all, { value }) => all + value, 0)
          const where = moves.map(({ value, what }) => `${value.toFixed(4)} ${what}`).join('\n')
          expect.soft(sum, `${path}, the ${time} time\n${where}`).toBeLessThan(most)
        }
      }
    },
  )
}
