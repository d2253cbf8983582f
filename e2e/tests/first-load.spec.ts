import type { Browser } from '@playwright/test'
import { storeSession } from '../src/bare.ts'
import { selectSample, variants } from '../src/extent.ts'
import { firstLoadLimits, measureTransfer } from '../src/first-load.ts'
import { expect, test } from '../src/keyboard.ts'
import { signedInScreens } from '../src/screens.ts'

/** Kilobytes of the first visit of an empty browser, and of the second. */
async function measureVisits(browser: Browser, url: string, session?: unknown): Promise<[number, number]> {
  const context = await browser.newContext()
  try {
    const visit = async () => {
      const page = await context.newPage()
      if (session !== undefined) await storeSession(page, session)
      const bytes = await measureTransfer(page, url)
      await page.close()
      return bytes / 1000
    }
    return [await visit(), await visit()]
  } finally {
    await context.close()
  }
}

const publicScreens = [
  { path: '/login', limit: firstLoadLimits.signIn },
  { path: '/register', limit: firstLoadLimits.signIn },
  { path: '/forgot-password', limit: firstLoadLimits.signIn },
  { path: '/track', limit: firstLoadLimits.tracking },
]

for (const { path, limit } of publicScreens)
  test(`${path} transfers at most ${limit} kB of code on the first visit and none on the second`, async ({
    browser,
    api,
  }) => {
    const [first, second] = await measureVisits(browser, api.url + path)
    expect(first).toBeLessThanOrEqual(limit)
    expect(second).toBe(0)
  })

for (const path of selectSample(signedInScreens))
  test(
    `${path} transfers at most ${firstLoadLimits.signedIn} kB of code on the first visit and none on the second`,
    variants,
    async ({ browser, api }) => {
      const session = { token: api.session.access_token, user: api.session }
      const [first, second] = await measureVisits(browser, api.url + path, session)
      expect(first).toBeLessThanOrEqual(firstLoadLimits.signedIn)
      expect(second).toBe(0)
    },
  )

test('the measurement of a first visit counts a further script of a page', async ({ page, api }) => {
  const url = `${api.url}/login`
  const before = await measureTransfer(page, url)
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      void import(new URL('/assets/further.js', location.href).href)
    })
  })
  await page.route('**/assets/further.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'export const further = 1' }),
  )
  expect(await measureTransfer(page, url)).toBeGreaterThan(before)
})
