import type { Alone, Done, Extent } from './alone.ts'
import { spread } from './figures.ts'
import { forgetPeak, peakOf } from './memory.ts'
import { pagesToLookAt } from './syncs.book.ts'
import { openSyncs, type SyncsDesk } from './syncs.desk.ts'

const accounts = 200
const pageSize = 100
/** Megabytes of 1000 000 bytes that the product's process may hold in a steady round. */
const limit = 250
const ordersPath = '/api/advertiser/orders'

interface Line {
  round: string
  seconds: number
  rows: number
  changed: number
  requests: number
  peak: number
}

/** What it costs to fetch 200 accounts at networks: the first time, and then each time when nothing has changed. */
export const syncsBench: Alone = {
  name: 'syncs-200',
  async run({ rounds, leads = 1_000_000 }: Extent): Promise<Done> {
    const orders = Math.ceil(leads / accounts)
    const desk = await openSyncs({ accounts, orders, pageSize })
    try {
      const first = await measure(desk, 'the first: everything is new')
      if (first.line.changed < accounts * orders) throw new Error(`Only ${first.line.changed} leads came in`)
      const second = await measure(desk, 'the second: everything is read once more')
      const steady: Awaited<ReturnType<typeof measure>>[] = []
      for (let i = 0; i < Math.ceil(rounds / 5); i += 1) steady.push(await measure(desk, 'steady'))
      const lines = [first, second, ...steady].map(({ line }) => line)
      // Offers, streams and finance are a page each.
      const pages = accounts * (pagesToLookAt(orders, pageSize) + 3)
      const met = steady.every(
        ({ line }) => line.requests <= pages && line.changed === 0 && line.peak < limit,
      )
      return { text: section(lines, { orders, pages, met }), met, postgres: desk.postgres }
    } finally {
      await desk.stop()
    }
  },
}

async function measure(desk: SyncsDesk, round: string): Promise<{ line: Line }> {
  forgetPeak(desk.pid)
  const { seconds, counts, hits } = await desk.round()
  const requests = Object.values(hits).reduce((sum, n) => sum + n, 0)
  const { rows = 0, created = 0, updated = 0 } = counts
  const line = { round, seconds, rows, changed: created + updated, requests, peak: peakOf(desk.pid) }
  console.log(
    `  ${round}: ${seconds.toFixed(1)} s, ${requests} requests, ${hits[ordersPath] ?? 0} of them for orders`,
  )
  return { line }
}

function section(
  lines: readonly Line[],
  { orders, pages, met }: { orders: number; pages: number; met: boolean },
): string {
  const groups = Map.groupBy(lines, ({ round }) => round)
  const rows = [...groups].map(([round, same]) => {
    const median = (pick: (line: Line) => number) => spread(same.map(pick)).median
    const figures = [
      same.length,
      median(({ seconds }) => seconds).toFixed(1),
      median((line) => line.rows / line.seconds).toFixed(0),
      median((line) => line.requests / line.seconds).toFixed(0),
      Math.max(...same.map(({ requests }) => requests)),
      Math.max(...same.map(({ changed }) => changed)),
      Math.max(...same.map(({ peak }) => peak)).toFixed(0),
    ]
    return `| ${round} | ${figures.join(' | ')} |`
  })
  return [
    '## syncs-200',
    '',
    `${accounts} accounts of ${orders.toLocaleString('en')} orders each at networks in a process of their own, ${pageSize} a page, ` +
      'fetched by the product as `npm start` starts it, without pauses between pages: the whole round of all accounts. ' +
      'Orders of the last three days can still move. Memory is that of its server’s process, at its highest in the round.',
    '',
    '| round | rounds | seconds | rows/s | requests/s | requests, most | changed, most | memory, MB, most |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    `Aim of a steady round: at most ${pages.toLocaleString('en')} requests, one for each page that has to be looked at, nothing ` +
      `changed, and below ${limit} MB: ${met ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
}
