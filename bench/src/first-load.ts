import { launchChromium } from '../../e2e/src/chromium.ts'
import { firstLoadLimits, measureTransfer } from '../../e2e/src/first-load.ts'
import { signedInScreens } from '../../e2e/src/screens.ts'
import type { BenchProduct } from './product.ts'
import { startPeer } from './peer.ts'
import { openPage } from './screen.ts'

interface Row {
  readonly name: string
  /** Kilobytes of 1000 bytes, gzip. */
  readonly first: number
  readonly second: number
  readonly limit?: number
}

/** Transferred scripts and styles of a first and a second visit, screen by screen, compared with react-admin. */
export const firstLoad = {
  name: 'first-load',
  async run(product: BenchProduct): Promise<{ text: string; isMet: boolean }> {
    const browser = await launchChromium()
    const peer = await startPeer([{ id: 1, name: 'Kettle', price: 1, affiliate_fee: 1, store_name: 'Shop' }])
    try {
      const measureVisits = async (url: string, hasSession: boolean) => {
        const context = await browser.newContext()
        const visit = async () => {
          const page = await openPage(context, hasSession ? product.session : undefined)
          const bytes = await measureTransfer(page, url)
          await page.close()
          return bytes / 1000
        }
        const visits = { first: await visit(), second: await visit() }
        await context.close()
        return visits
      }
      const cases = [
        { path: '/login', limit: firstLoadLimits.signIn, hasSession: false },
        { path: '/track', limit: firstLoadLimits.tracking, hasSession: false },
        ...signedInScreens.map((path) => ({ path, limit: firstLoadLimits.signedIn, hasSession: true })),
      ]
      const rows: Row[] = []
      for (const { path, limit, hasSession } of cases)
        rows.push({ name: path, limit, ...(await measureVisits(product.app.url + path, hasSession)) })
      const isMet = rows.every(({ first, second, limit }) => first <= (limit ?? first) && second === 0)
      const otherVisits = await measureVisits(`${peer.url}/`, false)
      rows.push({ name: `react-admin ${peer.version}, list of offers`, ...otherVisits })
      return { text: formatSection(rows, isMet), isMet }
    } finally {
      await peer.close()
      await browser.close()
    }
  },
}

function formatSection(rows: readonly Row[], isMet: boolean): string {
  return [
    '## first-load',
    '',
    'Scripts and styles that a visit transfers until the network is idle, gzip, beside a minimal react-admin page built in the same run. The second visit has the cache of the first.',
    '',
    '| page | kB, first visit | limit | kB, second visit |',
    '|---|--:|--:|--:|',
    ...rows.map(
      ({ name, first, second, limit }) =>
        `| ${name} | ${first.toFixed(1)} | ${limit ?? ''} | ${second.toFixed(1)} |`,
    ),
    '',
    `Limits, and no code on the second visit: ${isMet ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
}
