import { fileURLToPath } from 'node:url'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import type { Alone, Done, Extent } from './alone.ts'
import { startListening } from './child.ts'
import { signIn } from './desk.ts'
import { downloadFile, type Pace, type Download } from './export.read.ts'
import { spread } from './figures.ts'
import { admin, openLeads, timezone } from './leads.cluster.ts'
import { forgetPeak, peakOf } from './memory.ts'
import { childrenOf } from './processor.ts'

/** Megabytes of 1000 000 bytes that the product's process may hold while it exports. */
const limit = 300
const slow = 20_000_000

interface Line {
  reader: string
  taken: Download[]
  /** Megabytes, the most during these files. */
  peak: number
}

const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

/** All leads as one csv from the product as production starts it, and the memory of its process meanwhile. */
export const exportBench: Alone = {
  name: 'export-1m',
  async run({ rounds, leads = 1_000_000 }: Extent): Promise<Done> {
    const cluster = await openLeads(leads, console.log)
    const env = { DATABASE_URL: cluster.url, KARVON_DATA: cluster.folder, KARVON_TIMEZONE: timezone }
    const app = await startListening(start, { ...env, PORT: '0', HOST: '127.0.0.1' })
    try {
      const [pid = 0] = childrenOf(app.pid)
      const { token } = await signIn(app.url, admin)
      const url = `${app.url}/api/admin/leads/?format=csv`
      const idle = peakOf(pid)
      const lines: Line[] = []
      const take = async (reader: string, times: number, pace: Pace, atOnce = 1) => {
        forgetPeak(pid)
        const taken: Download[] = []
        for (let i = 0; i < times; i += 1)
          taken.push(
            ...(await Promise.all(Array.from({ length: atOnce }, () => downloadFile(url, token, pace)))),
          )
        for (const { rows } of taken)
          if (rows !== leads) throw new Error(`The file has ${rows} rows, there are ${leads} leads`)
        lines.push({ reader, taken, peak: peakOf(pid) })
      }
      await take('one that takes it as it comes', Math.ceil(rounds / 8), 'at once')
      await take(`one that takes ${slow / 1e6} MB a second`, 1, { bytesPerSecond: slow })
      await take('two at the same time', 1, 'at once', 2)
      const met = lines.every(({ peak }) => peak < limit)
      return { text: section(lines, { leads, idle, met }), met, postgres: await versionOf(cluster.url) }
    } finally {
      await app.stop()
      await cluster.stop()
    }
  },
}

async function versionOf(url: string): Promise<string> {
  const pool = openPool(url, { timezone, max: 1 })
  const { rows } = await pool.query<{ server_version: string }>('show server_version')
  await pool.end()
  return rows[0]?.server_version ?? ''
}

function section(
  lines: readonly Line[],
  { leads, idle, met }: { leads: number; idle: number; met: boolean },
): string {
  const rows = lines.map(({ reader, taken, peak }) => {
    const of = (pick: (each: Download) => number) => spread(taken.map(pick)).median
    const figures = [
      of(({ rows, seconds }) => rows / seconds).toFixed(0),
      of(({ bytes, seconds }) => bytes / 1e6 / seconds).toFixed(1),
      of(({ seconds }) => seconds).toFixed(1),
      taken.length,
      peak.toFixed(0),
    ]
    return `| ${reader} | ${figures.join(' | ')} |`
  })
  const megabytes = ((lines[0]?.taken[0]?.bytes ?? 0) / 1e6).toFixed(0)
  return [
    '## export-1m',
    '',
    `${leads.toLocaleString('en')} leads as one csv of ${megabytes} MB, read over HTTP from the product as \`npm start\` starts it; ` +
      `the resident memory of its server’s process, which held ${idle.toFixed(0)} MB at its highest before.`,
    '',
    '| reader | rows/s | MB/s | seconds | files | highest memory, MB |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    `Aim: below ${limit} MB: ${met ? 'met' : 'missed'}. Speeds are medians.`,
    '',
  ].join('\n')
}
