import { buildChangedDays } from '@karvon/server/domains/segments/segments.jobs.ts'
import { openDb } from '@karvon/server/platform/database/pool.ts'
import { dimensionNames, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { computeSpread } from './figures.ts'
import { buildExploreText, type CountedCell } from './explore.recount.ts'
import { span } from './leads.generate.queries.ts'
import { startLeadsProduct, type Duration, type LeadsProduct } from './reports.product.ts'
import type { BenchExtent, BenchResult, StandaloneBench } from './standalone.ts'

/** The largest median of a pair, in milliseconds: from rollups, and of others over 30 days and over all time. */
const limits = { rollups: 75, days30: 100, all: 1000 }

const rollupNames: ReadonlySet<DimensionName> = new Set([
  'day',
  'week',
  'month',
  'weekday',
  'source',
  'offer',
  'stream',
  'buyer',
  'status',
])

const last30 = new Date(Date.parse(span.last) - 29 * 86_400_000).toISOString().slice(0, 10)
const periods = [
  { name: '30 days', query: `&date_from=${last30}&date_to=${span.last}`, from: last30 },
  { name: 'all time', query: '', from: null },
] as const

interface Line {
  pair: string
  period: string
  own: Duration
  groupByMs: number
  limit: number
}

const pairs = dimensionNames.flatMap((rows, at) =>
  dimensionNames.slice(at + 1).map((columns) => [rows, columns] as const),
)

/** Each pair of dimensions of Explore, over 30 days and over all time, compared with GROUP BY over the same leads. */
export const exploreBench: StandaloneBench = {
  name: 'explore',
  async run({ rounds, leads = 10_000_000 }: BenchExtent): Promise<BenchResult> {
    const product = await startLeadsProduct(leads, console.log)
    try {
      // The web process of the bench runs no jobs.
      while (await buildChangedDays(openDb(product.pool)));
      const lines: Line[] = []
      let compared = 0
      for (const [rows, columns] of pairs)
        for (const period of periods) {
          const path = `/api/admin/explore?rows=${rows}&columns=${columns}&metrics=leads,profit${period.query}`
          const { groupByMs, figures } = await compare(product, { path, rows, columns, from: period.from })
          compared += figures
          const times: Duration[] = []
          for (let round = 0; round < rounds; round += 1) times.push(await product.timePath('admin', path))
          const isRollup = rollupNames.has(rows) && rollupNames.has(columns)
          const limit = isRollup ? limits.rollups : period.from === null ? limits.all : limits.days30
          const own = {
            ms: computeSpread(times.map(({ ms }) => ms)).median,
            cpu: computeSpread(times.map(({ cpu }) => cpu)).median,
          }
          lines.push({ pair: `${rows} × ${columns}`, period: period.name, own, groupByMs, limit })
          console.log(
            `  ${rows} × ${columns}, ${period.name}: ${own.ms.toFixed(1)} ms, GROUP BY ${groupByMs.toFixed(0)} ms`,
          )
        }
      const { rows: versions } = await product.pool.query<{ server_version: string }>('show server_version')
      return {
        text: formatLines(lines, { leads, rounds, compared, storage: await readStorage(product) }),
        isMet: lines.every(({ own, limit }) => own.ms <= limit),
        postgres: versions[0]?.server_version ?? '',
      }
    } finally {
      await product.stop()
    }
  },
}

/** Compares each cell of an answer with GROUP BY. Throws at the first difference. */
async function compare(
  product: LeadsProduct,
  question: { path: string; rows: DimensionName; columns: DimensionName; from: string | null },
): Promise<{ groupByMs: number; figures: number }> {
  const { items, totals, meta } = JSON.parse(await product.read('admin', question.path)) as ExploreAnswer
  const startedAt = performance.now()
  const { rows: cells } = await product.pool.query<CountedCell>(buildExploreText(question))
  const groupByMs = performance.now() - startedAt
  const counted = new Map(cells.map((cell) => [`${cell.k0} ${cell.k1}`, cell]))
  const fail = (what: string) => new Error(`${question.path}: ${what}`)
  let figures = 0
  for (const { row, column, metrics } of items) {
    if (row.kind === 'rest' || column?.kind === 'rest') continue
    const cell = counted.get(`${row.key ?? ''} ${column?.key ?? ''}`)
    if (cell === undefined || cell.leads !== metrics['leads'] || cell.profit !== metrics['profit'])
      throw fail(`${row.key} ${column?.key} has ${metrics['leads']} leads, counted ${cell?.leads ?? 0}`)
    figures += 2
  }
  const sum = (values: readonly (number | null | undefined)[]) =>
    values.reduce<number>((all, value) => all + (value ?? 0), 0)
  const all = sum(cells.map(({ leads }) => leads))
  if (sum(items.map(({ metrics }) => metrics['leads'])) !== all || totals.metrics['leads'] !== all)
    throw fail(`the cells add up to ${sum(items.map(({ metrics }) => metrics['leads']))}, counted ${all}`)
  return { groupByMs, figures: figures + meta.row_totals.length + meta.column_totals.length }
}

/** Bytes for each lead of the tables of figures, and of the leads. */
async function readStorage({ pool, leads }: LeadsProduct): Promise<string> {
  const size = async (...tables: string[]) => {
    const { rows } = await pool.query<{ bytes: number }>(
      'select sum(pg_total_relation_size(t::regclass))::bigint as bytes from unnest($1::text[]) t',
      [tables],
    )
    return `${((rows[0]?.bytes ?? 0) / leads).toFixed(0)} B`
  }
  const older = await size('source_totals', 'offer_totals', 'stream_totals', 'owner_days')
  const statuses = await size('status_totals')
  return `For each lead the totals of the reports take ${older}, those of statuses ${statuses}, segments ${await size('lead_segments', 'lead_texts')}, the leads ${await size('leads')}.`
}

function formatLines(
  lines: readonly Line[],
  { leads, rounds, compared, storage }: { leads: number; rounds: number; compared: number; storage: string },
): string {
  const rows = lines.map(
    ({ pair, period, own, groupByMs, limit }) =>
      `| ${pair} | ${period} | ${own.ms.toFixed(1)} | ${own.cpu.toFixed(1)} | ${groupByMs.toFixed(0)} | ${(own.ms / groupByMs).toFixed(2)} | ${own.ms <= limit ? 'yes' : `no (${limit})`} |`,
  )
  return [
    `${leads.toLocaleString('en')} leads, ${rounds} rounds. ${compared.toLocaleString('en')} figures equal GROUP BY, 0 differ. ${storage}`,
    '',
    '| pair | period | ms | ms of processors | GROUP BY ms | ratio | in the limit |',
    '| ---- | ------ | -: | ---------------: | ----------: | ----: | ------------ |',
    ...rows,
  ].join('\n')
}
