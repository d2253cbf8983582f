import type { Page } from '@playwright/test'

/** The limits of a first visit in kilobytes of 1000 bytes: scripts and styles in gzip, until the network is idle. */
export const firstLoadLimits = { signIn: 80, tracking: 60, signedIn: 120 }

/** The bytes that the browser's timing of resources counts for each header, whatever its size. */
const headerSize = 300

/**
 * Opens an address and returns the transferred bytes of scripts and styles until the network is idle. A file from the cache
 * counts as 0. Throws if a file comes without gzip, or if the address redirects.
 */
export async function measureTransfer(page: Page, url: string): Promise<number> {
  // The limits are for gzip. Chromium also accepts brotli.
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  await page.goto(url, { waitUntil: 'networkidle' })
  const expectedPath = new URL(url).pathname
  if (new URL(page.url()).pathname !== expectedPath) throw new Error(`${url} led to ${page.url()}`)
  const files = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\.(?:js|css)$/.test(new URL(name).pathname))
      .map((entry) => {
        const { name, transferSize, encodedBodySize, decodedBodySize } = entry as PerformanceResourceTiming
        return { name, transferSize, encodedBodySize, decodedBodySize }
      }),
  )
  if (files.length === 0) throw new Error(`${url} loaded no script`)
  let bytes = 0
  for (const { name, transferSize, encodedBodySize, decodedBodySize } of files) {
    // Without a body: from the cache, also after the server said that the file has not changed.
    if (transferSize <= headerSize) continue
    if (decodedBodySize > 2048 && encodedBodySize === decodedBodySize)
      throw new Error(`${name} came without gzip`)
    bytes += encodedBodySize
  }
  return bytes
}
