import { launchChromium } from '../../e2e/src/chromium.ts'
import type { Desk } from './desk.ts'
import { startPeer } from './peer.ts'
import { newPage, weigh } from './screen.ts'

/** Kilobytes of 1000 bytes, gzip. */
const limits = { login: 140, signedIn: 180 }
const signedInPages = [
  '/parcels',
  '/users',
  '/settings/cpa-websites',
  '/settings/statuses',
  '/offers',
  '/streams',
  '/statistics',
  '/statistics?tab=offers',
  '/profile',
  '/components-demo',
]

/** What a first visit loads: scripts and styles until the network is idle, page by page, beside react-admin's. */
export const firstLoad = {
  name: 'first-load',
  async run(desk: Desk): Promise<{ text: string; met: boolean }> {
    const browser = await launchChromium()
    const peer = await startPeer([{ id: 1, name: 'Kettle', price: 1, affiliate_fee: 1, store_name: 'Shop' }])
    try {
      const kilobytes = async (url: string, signedIn: boolean) => {
        const page = await newPage(browser, signedIn ? desk.session : undefined)
        const bytes = await weigh(page, url)
        await page.close()
        return bytes / 1000
      }
      const pages = [
        { path: '/login', limit: limits.login, signedIn: false },
        ...signedInPages.map((path) => ({ path, limit: limits.signedIn, signedIn: true })),
      ]
      const rows: { name: string; size: number; limit?: number }[] = []
      for (const { path, limit, signedIn } of pages)
        rows.push({ name: path, size: await kilobytes(desk.app.url + path, signedIn), limit })
      const met = rows.every(({ size, limit }) => limit === undefined || size <= limit)
      rows.push({
        name: `react-admin ${peer.version}, list of offers`,
        size: await kilobytes(`${peer.url}/`, false),
      })
      return { text: section(rows, met), met }
    } finally {
      await peer.close()
      await browser.close()
    }
  },
}

function section(rows: readonly { name: string; size: number; limit?: number }[], met: boolean): string {
  return [
    '## first-load',
    '',
    'Scripts and styles that a first visit transfers until the network is idle, gzip, beside a minimal react-admin page built in the same run.',
    '',
    '| page | kB | limit |',
    '|---|--:|--:|',
    ...rows.map(({ name, size, limit }) => `| ${name} | ${size.toFixed(1)} | ${limit ?? ''} |`),
    '',
    `Limits: ${met ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
}
