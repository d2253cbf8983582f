import type { Browser } from '@playwright/test'
import { storeSession } from '../src/bare.ts'
import { selectSample, variants } from '../src/extent.ts'
import { firstLoadLimits, measureTransfer } from '../src/first-load.ts'
import { expect, test } from '../src/keyboard.ts'
import { signedInScreens } from '../src/screens.ts'

/** Kilobytes of each visit. The first begins with an empty browser. */
async function measureVisits(
  browser: Browser,
  url: string,
  { visits, session }: { visits: number; session?: unknown },
): Promise<number[]> {
  const context = await browser.newContext()
  const kilobytes: number[] = []
  try {
    for (let visit = 1; visit <= visits; visit += 1) {
      const page = await context.newPage()
      if (session !== undefined) await storeSession(page, session)
      kilobytes.push((await measureTransfer(page, url)) / 1000)
      await page.close()
    }
    return kilobytes
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
    const [first, second] = await measureVisits(browser, api.url + path, { visits: 2 })
    expect(first).toBeLessThanOrEqual(limit)
    expect(second).toBe(0)
  })

for (const path of selectSample(signedInScreens))
  test(
    `${path} transfers at most ${firstLoadLimits.signedIn} kB of code on the first visit`,
    variants,
    async ({ browser, api }) => {
      const session = { token: api.session.access_token, user: api.session }
      const [first] = await measureVisits(browser, api.url + path, { visits: 1, session })
      expect(first).toBeLessThanOrEqual(firstLoadLimits.signedIn)
    },
  )

test('a signed-in screen transfers no code on the second visit', async ({ browser, api }) => {
  const session = { token: api.session.access_token, user: api.session }
  const [first, second] = await measureVisits(browser, `${api.url}/parcels`, { visits: 2, session })
  expect(first).toBeGreaterThan(0)
  expect(second).toBe(0)
})

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
