import { fileURLToPath } from 'node:url'
import type { StandaloneBench, BenchResult, BenchExtent } from './standalone.ts'
import { startProcess } from '@karvon/testkit/node-process.ts'
import { signIn } from './product.ts'
import { downloadFile, type ReadRate, type Download } from './export.read.ts'
import { computeSpread } from './figures.ts'
import { admin, openLeadsCluster } from './leads.cluster.ts'
import { resetPeak, readPeak } from './memory.ts'
import { listChildren } from './processor.ts'
import { readPostgresVersion, timezone, withPool } from './databases.ts'

/** Largest memory of the product's process during an export, in megabytes of 1,000,000 bytes. */
const limit = 300
const slowRate = 20_000_000

interface ExportLine {
  reader: string
  downloads: Download[]
  /** Peak memory during these files, in megabytes. */
  peak: number
}

const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))

/** Exports all leads as one csv, and measures the time and the memory of the process. */
export const exportBench: StandaloneBench = {
  name: 'export-1m',
  async run({ rounds, leads = 1_000_000 }: BenchExtent): Promise<BenchResult> {
    const cluster = await openLeadsCluster(leads, console.log)
    const data = { DATABASE_URL: cluster.url, KARVON_DATA: cluster.folder, KARVON_TIMEZONE: timezone }
    const env = { ...process.env, ...data, PORT: '0', HOST: '127.0.0.1' }
    const app = await startProcess(start, { env })
    try {
      const [pid = 0] = listChildren(app.pid)
      const { token } = await signIn(app.url, admin)
      const url = `${app.url}/api/admin/leads/?format=csv`
      const idle = readPeak(pid)
      const lines: ExportLine[] = []
      const take = async (reader: string, times: number, rate: ReadRate, fast = 1) => {
        resetPeak(pid)
        const downloads: Download[] = []
        for (let i = 0; i < times; i += 1)
          downloads.push(
            ...(await Promise.all(Array.from({ length: fast }, () => downloadFile(url, token, rate)))),
          )
        for (const { rows } of downloads)
          if (rows !== leads) throw new Error(`The file has ${rows} rows, there are ${leads} leads`)
        lines.push({ reader, downloads, peak: readPeak(pid) })
      }
      await take('one that takes it as it comes', Math.ceil(rounds / 8), 'at once')
      await take(`one that takes ${slowRate / 1e6} MB a second`, 1, { bytesPerSecond: slowRate })
      await take('two at the same time', 1, 'at once', 2)
      const isMet = lines.every(({ peak }) => peak < limit)
      return {
        text: formatSection(lines, { leads, idle, isMet }),
        isMet,
        postgres: await withPool(cluster.url, readPostgresVersion),
      }
    } finally {
      await app.stop()
      await cluster.stop()
    }
  },
}

function formatSection(
  lines: readonly ExportLine[],
  { leads, idle, isMet }: { leads: number; idle: number; isMet: boolean },
): string {
  const rows = lines.map(({ reader, downloads, peak }) => {
    const of = (pick: (each: Download) => number) => computeSpread(downloads.map(pick)).median
    const figures = [
      of(({ rows, seconds }) => rows / seconds).toFixed(0),
      of(({ bytes, seconds }) => bytes / 1e6 / seconds).toFixed(1),
      of(({ seconds }) => seconds).toFixed(1),
      downloads.length,
      peak.toFixed(0),
    ]
    return `| ${reader} | ${figures.join(' | ')} |`
  })
  const megabytes = ((lines[0]?.downloads[0]?.bytes ?? 0) / 1e6).toFixed(0)
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
    `Aim: below ${limit} MB: ${isMet ? 'met' : 'missed'}. Speeds are medians.`,
    '',
  ].join('\n')
}
