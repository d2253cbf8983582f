import { launchChromium } from '../../e2e/src/chromium.ts'
import { computeSpread } from './figures.ts'
import { startPeer } from './peer.ts'
import type { BenchProduct } from './product.ts'
import { openPage, type Browser, type Context } from './screen.ts'

/** A weak phone on a weak line: a quarter of this processor, 1.6 Mbit/s, 150 ms for each answer. */
const phone = { slowdown: 4, bytesPerSecond: 1_600_000 / 8, latency: 150 }

/** Seconds until the list is usable. */
const limits = { first: 3, second: 1 }
const rounds = 5

interface Visits {
  readonly first: number[]
  readonly second: number[]
}

/** The time until the list of parcels is usable on a simulated phone, compared with react-admin's list of offers. */
export const phoneVisits = {
  name: 'phone',
  async run(product: BenchProduct): Promise<{ text: string; isMet: boolean }> {
    const browser = await launchChromium()
    const peer = await startPeer(
      Array.from({ length: 200 }, (_, i) => ({ id: i + 1, name: `Offer ${i}`, price: i })),
    )
    const cases = [
      { name: 'Karvon, list of parcels', url: `${product.app.url}/parcels`, session: product.session },
      { name: `react-admin ${peer.version}, list of offers`, url: `${peer.url}/`, session: undefined },
    ].map((visitCase) => ({ ...visitCase, visits: { first: [], second: [] } as Visits }))
    try {
      for (let round = 0; round < rounds; round += 1)
        for (const visitCase of cases) {
          const [first, second] = await measureVisits(browser, visitCase.url, visitCase.session)
          visitCase.visits.first.push(first)
          visitCase.visits.second.push(second)
        }
    } finally {
      await peer.close()
      await browser.close()
    }
    const [ownCase] = cases
    const isMet =
      ownCase !== undefined &&
      computeSpread(ownCase.visits.first).median <= limits.first &&
      computeSpread(ownCase.visits.second).median <= limits.second
    return { text: formatSection(cases, isMet), isMet }
  },
}

/** Seconds of the first visit with an empty cache, and of the second. */
async function measureVisits(
  browser: Browser,
  url: string,
  session: BenchProduct['session'] | undefined,
): Promise<[first: number, second: number]> {
  const context = await browser.newContext()
  try {
    return [await measureVisit(context, url, session), await measureVisit(context, url, session)]
  } finally {
    await context.close()
  }
}

/** Seconds from the start of the navigation until the rows are painted and the page answers to its first input. */
async function measureVisit(
  context: Context,
  url: string,
  session: BenchProduct['session'] | undefined,
): Promise<number> {
  const page = await openPage(context, session)
  await page.setViewportSize({ width: 360, height: 740 })
  const browser = await context.newCDPSession(page)
  await browser.send('Network.enable')
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: phone.latency,
    downloadThroughput: phone.bytesPerSecond,
    uploadThroughput: phone.bytesPerSecond,
  })
  await browser.send('Emulation.setCPUThrottlingRate', { rate: phone.slowdown })
  await page.addInitScript(() => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const waitForRows = async () => {
      while (document.querySelector('tbody tr:not([data-skeleton], [data-message])') === null) await frame()
      await frame()
      // A task after the frame runs when nothing blocks the page.
      await new Promise((resolve) => setTimeout(resolve))
      return performance.now() / 1000
    }
    Object.assign(window, { usable: waitForRows() })
  })
  await page.goto(url)
  const seconds = await page.evaluate(() => (window as unknown as { usable: Promise<number> }).usable)
  await page.waitForLoadState('networkidle')
  await page.close()
  return seconds
}

function formatSection(
  cases: readonly { readonly name: string; readonly visits: Visits }[],
  isMet: boolean,
): string {
  const format = (figures: readonly number[]) => {
    const { median, min, max } = computeSpread([...figures])
    return `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`
  }
  return [
    '## phone',
    '',
    `Seconds until a list is usable on a simulated phone of 360 px: a processor ${phone.slowdown} times slower, 1.6 Mbit/s, ${phone.latency} ms for each answer. The first visit has an empty cache, the second that of the first. Median and range of ${rounds} alternating rounds.`,
    '',
    '| page | first visit | second visit |',
    '|---|--:|--:|',
    ...cases.map(({ name, visits }) => `| ${name} | ${format(visits.first)} | ${format(visits.second)} |`),
    '',
    `Limits of ${limits.first} and ${limits.second} s: ${isMet ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
}
