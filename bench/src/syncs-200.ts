import type { StandaloneBench, BenchResult, BenchExtent } from './standalone.ts'
import { computeSpread } from './figures.ts'
import { resetPeak, readPeak } from './memory.ts'
import { countPagesToRead } from './syncs.orders.ts'
import { startSyncsProduct, type SyncsProduct } from './syncs.product.ts'

const accounts = 200
const pageSize = 100
/** Megabytes of 1000 000 bytes that the product's process may hold in a steady round. */
const limit = 250
const ordersPath = '/api/advertiser/orders'

interface SyncLine {
  round: string
  seconds: number
  rows: number
  changed: number
  requests: number
  peak: number
}

/** The cost of syncing 200 accounts of networks: the first time, and later without changes. */
export const syncsBench: StandaloneBench = {
  name: 'syncs-200',
  async run({ rounds, leads = 1_000_000 }: BenchExtent): Promise<BenchResult> {
    const orders = Math.ceil(leads / accounts)
    const product = await startSyncsProduct({ accounts, orders, pageSize })
    try {
      const first = await measure(product, 'the first: everything is new')
      if (first.line.changed < accounts * orders) throw new Error(`Only ${first.line.changed} leads came in`)
      const second = await measure(product, 'the second: everything is read once more')
      const steadyRound: Awaited<ReturnType<typeof measure>>[] = []
      for (let i = 0; i < Math.ceil(rounds / 5); i += 1) steadyRound.push(await measure(product, 'steady'))
      const lines = [first, second, ...steadyRound].map(({ line }) => line)
      // Offers, streams, transactions, withdrawals and finance are one page each.
      const pages = accounts * (countPagesToRead(orders, pageSize) + 5)
      const isMet = steadyRound.every(
        ({ line }) => line.requests <= pages && line.changed === 0 && line.peak < limit,
      )
      return { text: formatSection(lines, { orders, pages, isMet }), isMet, postgres: product.postgres }
    } finally {
      await product.stop()
    }
  },
}

async function measure(product: SyncsProduct, round: string): Promise<{ line: SyncLine }> {
  resetPeak(product.pid)
  const { seconds, counts, hits } = await product.round()
  const requests = Object.values(hits).reduce((sum, n) => sum + n, 0)
  const { rows = 0, created = 0, updated = 0 } = counts
  const line = { round, seconds, rows, changed: created + updated, requests, peak: readPeak(product.pid) }
  console.log(
    `  ${round}: ${seconds.toFixed(1)} s, ${requests} requests, ${hits[ordersPath] ?? 0} of them for orders`,
  )
  return { line }
}

function formatSection(
  lines: readonly SyncLine[],
  { orders, pages, isMet }: { orders: number; pages: number; isMet: boolean },
): string {
  const groups = Map.groupBy(lines, ({ round }) => round)
  const rows = [...groups].map(([round, roundLines]) => {
    const median = (pick: (line: SyncLine) => number) => computeSpread(roundLines.map(pick)).median
    const figures = [
      roundLines.length,
      median(({ seconds }) => seconds).toFixed(1),
      median((line) => line.rows / line.seconds).toFixed(0),
      median((line) => line.requests / line.seconds).toFixed(0),
      Math.max(...roundLines.map(({ requests }) => requests)),
      Math.max(...roundLines.map(({ changed }) => changed)),
      Math.max(...roundLines.map(({ peak }) => peak)).toFixed(0),
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
      `changed, and below ${limit} MB: ${isMet ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
}
