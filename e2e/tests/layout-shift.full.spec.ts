import type { Page } from '@playwright/test'
import { selectAppearances, selectSample, variants } from '../src/extent.ts'
import { expect, openSignedIn, test } from '../src/keyboard.ts'
import { signedInScreens } from '../src/screens.ts'

/** Milliseconds that each answer is delayed, so that the page is drawn first, as over a slow connection. */
const answerDelay = 250

/** The settings of the host come after the other answers. A browser has none on its first visit. */
const settingsDelay = 750

/** What may move while a screen loads: a share of the window times a share of its height. */
const maxShift = 0.01

interface Shift {
  value: number
  element: string
}

/** Records elements that move without an action, from the first paint on. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { moves: shifts })
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
        shifts.push({ value, element: names.join(', ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const readShifts = (page: Page) => page.evaluate(() => (window as unknown as { moves: Shift[] }).moves)

test.describe.configure({ mode: 'parallel' })
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

for (const width of selectAppearances([1440, 360]))
  test(
    `no content moves while a screen loads at ${width} px, on the first visit and the next`,
    variants,
    async ({ page, api }) => {
      test.setTimeout(600_000)
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 })
      await recordShifts(page)
      await page.route(/\/(?:api|parcel)\//, async (route) => {
        const isSettings = route.request().url().endsWith('/app/settings')
        await new Promise((resolve) => setTimeout(resolve, isSettings ? settingsDelay : answerDelay))
        await route.fallback()
      })
      for (const path of selectSample(signedInScreens)) {
        // A browser has no settings on its first visit. This answer of the origin has no script.
        await page.goto(`${api.url}/healthz`)
        await page.evaluate(() => localStorage.clear())
        for (const time of ['first', 'next']) {
          await openSignedIn(page, api, path)
          await expect(page.getByRole('main')).toBeVisible()
          await page.waitForLoadState('networkidle')
          await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
          const shifts = await readShifts(page)
          const sum = shifts.reduce((total, { value }) => total + value, 0)
          const where = shifts.map(({ value, element }) => `${value.toFixed(4)} ${element}`).join('\n')
          expect.soft(sum, `${path}, the ${time} time\n${where}`).toBeLessThan(maxShift)
        }
      }
    },
  )
