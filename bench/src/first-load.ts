import { launchChromium } from '../../e2e/src/chromium.ts'
import type { BenchProduct } from './product.ts'
import { startPeer } from './peer.ts'
import { openPage, measureTransfer } from './screen.ts'

/** Kilobytes of 1000 bytes, gzip. */
const limits = { login: 80, tracking: 60, signedIn: 120 }
const signedInPages = [
  '/parcels',
  '/users',
  '/settings/cpa-websites',
  '/settings/statuses',
  '/offers',
  '/streams',
  '/statistics',
  '/statistics?tab=offers',
  '/leads',
  '/uploads',
  '/audit',
  '/profile',
  '/components-demo',
]

/** Transferred scripts and styles of a first visit, page by page, compared with react-admin. */
export const firstLoad = {
  name: 'first-load',
  async run(product: BenchProduct): Promise<{ text: string; isMet: boolean }> {
    const browser = await launchChromium()
    const peer = await startPeer([{ id: 1, name: 'Kettle', price: 1, affiliate_fee: 1, store_name: 'Shop' }])
    try {
      const kilobytes = async (url: string, hasSession: boolean) => {
        const page = await openPage(browser, hasSession ? product.session : undefined)
        const bytes = await measureTransfer(page, url)
        await page.close()
        return bytes / 1000
      }
      const cases = [
        { path: '/login', limit: limits.login, hasSession: false },
        { path: '/track', limit: limits.tracking, hasSession: false },
        ...signedInPages.map((path) => ({ path, limit: limits.signedIn, hasSession: true })),
      ]
      const rows: { name: string; size: number; limit?: number }[] = []
      for (const { path, limit, hasSession } of cases)
        rows.push({ name: path, size: await kilobytes(product.app.url + path, hasSession), limit })
      const isMet = rows.every(({ size, limit }) => limit === undefined || size <= limit)
      rows.push({
        name: `react-admin ${peer.version}, list of offers`,
        size: await kilobytes(`${peer.url}/`, false),
      })
      return { text: formatSection(rows, isMet), isMet }
    } finally {
      await peer.close()
      await browser.close()
    }
  },
}

function formatSection(
  rows: readonly { name: string; size: number; limit?: number }[],
  isMet: boolean,
): string {
  return [
    '## first-load',
    '',
    'Scripts and styles that a first visit transfers until the network is idle, gzip, beside a minimal react-admin page built in the same run.',
    '',
    '| page | kB | limit |',
    '|---|--:|--:|',
    ...rows.map(({ name, size, limit }) => `| ${name} | ${size.toFixed(1)} | ${limit ?? ''} |`),
    '',
    `Limits: ${isMet ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
}
