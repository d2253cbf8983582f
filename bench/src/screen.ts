import type { launchChromium } from '../../e2e/src/chromium.ts'
import type { Session } from './product.ts'

export type Browser = Awaited<ReturnType<typeof launchChromium>>
export type Page = Awaited<ReturnType<Browser['newPage']>>

export type Context = Awaited<ReturnType<Browser['newContext']>>

/** Opens a page, with a session if one is given. Its cache is that of the context, which a browser makes anew. */
export async function openPage(browser: Browser | Context, session?: Session): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  if (session)
    await page.addInitScript((record) => localStorage.setItem('emu_auth', record), JSON.stringify(session))
  return page
}
