import { isDeepStrictEqual } from 'node:util'
import { computeSpread, type Spread } from './figures.ts'
import { runLoad } from './load.ts'
import { readPeak, resetPeak } from './memory.ts'
import { copyTablesForPeers, startDirectus, startPostGraphile, type ServerPeer } from './peers.servers.ts'
import { startBenchProduct } from './product.ts'
import { measureAlternately } from './rounds.ts'
import type { BenchExtent, BenchResult, StandaloneBench } from './standalone.ts'

const seconds = 3
const connections = 16

/** `p99`: milliseconds. `memory`: MB of the server without PostgreSQL. */
interface Figures {
  perSecond: number
  p99: number
  memory: number
}

/** The same list of the same rows in the same PostgreSQL, answered by other servers. */
export const peersBench: StandaloneBench = {
  name: 'peers',
  async run({ rounds }: BenchExtent): Promise<BenchResult> {
    const product = await startBenchProduct()
    const { app, token, postgres } = product
    const servers: ServerPeer[] = [
      {
        name: 'Karvon',
        url: `${app.url}/api/admin/offers/`,
        token,
        pid: app.pid,
        readAnswer(answer) {
          const { items, meta } = answer as { items: { id: number }[]; meta: { total: number } }
          return { ids: items.map(({ id }) => id), total: meta.total }
        },
        stop: () => product.stop(),
      },
    ]
    try {
      await copyTablesForPeers(postgres.url)
      servers.push(await startDirectus(postgres.url))
      servers.push(await startPostGraphile(postgres.url))
      await compareAnswers(servers)
      const contenders = servers.map((server) => ({
        name: server.name,
        measure: () => measure(server),
      }))
      const figures = await measureAlternately(contenders, rounds)
      return { ...formatSection(contenders, figures), postgres: postgres.version }
    } finally {
      // The product last, because it stops the database.
      for (const server of servers.toReversed()) await server.stop()
    }
  },
}

/** Throws unless all servers answer the same rows and the same total. */
async function compareAnswers(servers: readonly ServerPeer[]): Promise<void> {
  const answers = await Promise.all(
    servers.map(async ({ url, token, body, readAnswer }) => {
      const headers = new Headers({ 'content-type': 'application/json' })
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      const answer = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) })
      return readAnswer(await answer.json())
    }),
  )
  if (answers.some((answer) => !isDeepStrictEqual(answer, answers[0])))
    throw new Error(`The servers answer different lists: ${JSON.stringify(answers)}`)
}

async function measure(server: ServerPeer): Promise<Figures> {
  resetPeak(server.pid)
  const { perSecond, p99 } = await runLoad({ ...server, connections, seconds })
  return { perSecond, p99, memory: readPeak(server.pid) }
}

function formatSection(
  contenders: readonly { name: string }[],
  figures: readonly (readonly Figures[])[],
): { text: string; isMet: boolean } {
  const spreadOf = (index: number, name: keyof Figures): Spread =>
    computeSpread((figures[index] ?? []).map((round) => round[name]))
  const ownRate = spreadOf(0, 'perSecond').median
  const rows = contenders.map(({ name }, index) => {
    const { median, min, max } = spreadOf(index, 'perSecond')
    const rate = `${median.toFixed(0)} (${min.toFixed(0)} to ${max.toFixed(0)})`
    const others = (['p99', 'memory'] as const).map((key) => spreadOf(index, key).median.toFixed(0))
    return `| ${name} | ${rate} | ${(median / ownRate).toFixed(2)} | ${others.join(' | ')} |`
  })
  const isMet = contenders.every((_, index) => spreadOf(index, 'perSecond').median <= ownRate)
  const text = [
    '## peers',
    '',
    `The newest 10 of 100,000 offers with the exact total and the names of status, source and master offer: the same rows in the same PostgreSQL, ${connections} connections, median (range) of ${figures[0]?.length ?? 0} alternating rounds of ${seconds} s. Karvon and Directus check a token, PostGraphile does not.`,
    '',
    '| server | requests/s | of Karvon | p99, ms | peak memory, MB |',
    '|---|--:|--:|--:|--:|',
    ...rows,
    '',
    `Karvon answers at least as many requests as each other server: ${isMet ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
  return { text, isMet }
}
