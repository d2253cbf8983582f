import type { launchChromium } from '../../e2e/src/chromium.ts'
import type { Session } from './product.ts'

export type Browser = Awaited<ReturnType<typeof launchChromium>>
export type Page = Awaited<ReturnType<Browser['newPage']>>

/** Opens a page with an empty cache and, if given, a session. */
export async function openPage(browser: Browser, session?: Session): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  if (session)
    await page.addInitScript((record) => localStorage.setItem('emu_auth', record), JSON.stringify(session))
  return page
}

/**
 * Transferred bytes of scripts and styles in gzip, until the network is idle. Throws if a file is not compressed or the
 * address redirects.
 */
export async function measureTransfer(page: Page, url: string): Promise<number> {
  const sizes: Promise<number>[] = []
  // The limits are for gzip. Chromium also accepts brotli.
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? ''
    if (!/javascript|css/.test(type)) return
    sizes.push(
      response
        .finished()
        .then(() => response.request().sizes())
        .then(({ responseBodySize }) => {
          if (responseBodySize > 2048 && response.headers()['content-encoding'] !== 'gzip')
            throw new Error(`${response.url()} came without gzip`)
          return responseBodySize
        }),
    )
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const wanted = new URL(url).pathname
  if (new URL(page.url()).pathname !== wanted) throw new Error(`${url} led to ${page.url()}`)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
