import os from 'node:os'
import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { openDuckDb, type DuckDb } from './duckdb.ts'
import { exploreCases, type ExploreCase } from './explore.cases.ts'
import { buildExploreSql, type CountedCell } from './explore.recount.ts'
import { formatExplore, formatPair, meetsAim, type ExploreLine } from './explore.section.ts'
import { computeSpread } from './figures.ts'
import { buildSegments } from './leads.segments.ts'
import { formatMs } from './reports.section.ts'
import { startLeadsProduct, type Duration, type LeadsProduct } from './reports.product.ts'
import type { BenchExtent, BenchResult, StandaloneBench } from './standalone.ts'
import { readPostgresVersion } from './databases.ts'

/** Pairs of dimensions of Explore, compared with GROUP BY over the same leads in PostgreSQL and DuckDB. */
export const exploreBench: StandaloneBench = {
  name: 'explore',
  async run({ rounds, leads = 10_000_000 }: BenchExtent): Promise<BenchResult> {
    const product = await startLeadsProduct(leads, console.log)
    let duck: DuckDb | undefined
    try {
      await buildSegments(product.pool)
      duck = await openDuckDb(product.pool, product.folder)
      // The first answers of a process are slow, because its code is not compiled.
      for (const exploreCase of exploreCases.filter(({ period }) => period.days !== null))
        await product.read(exploreCase.scope, toPath(exploreCase))
      const before = os.loadavg()[0] ?? 0
      const lines: ExploreLine[] = []
      let comparedFigures = 0
      for (const exploreCase of exploreCases) {
        const ownDuration = await withChangedDays(product, exploreCase, () =>
          measure(product, exploreCase, rounds),
        )
        const { groupByMs, duckMs, figures } = await compare(product, duck, exploreCase)
        comparedFigures += figures
        lines.push({ ...exploreCase, own: ownDuration, groupByMs, duckMs })
        console.log(
          `  ${formatPair(exploreCase)}: ${formatMs(ownDuration.ms)} ms, GROUP BY ${formatMs(groupByMs)} ms, DuckDB ${formatMs(duckMs)} ms`,
        )
      }
      const load = [before, os.loadavg()[0] ?? 0] as const
      const storage = await readStorage(product)
      return {
        text: formatExplore(lines, {
          leads,
          rounds,
          compared: comparedFigures,
          storage,
          duck: duck.version,
          load,
        }),
        isMet: lines.every(meetsAim('ms')),
        postgres: await readPostgresVersion(product.pool),
      }
    } finally {
      await duck?.stop()
      await product.stop()
    }
  },
}

const toPath = ({ scope, rows, columns, period: { days } }: ExploreCase): string => {
  const period = days === null ? '' : `&date_from=${days[0]}&date_to=${days[1]}`
  return `/api/${scope}/explore?rows=${rows}&columns=${columns}&metrics=leads,profit${period}`
}

/** Lets some days count as changed. Their leads are read, and no figure changes. */
async function withChangedDays<Result>(
  { pool }: LeadsProduct,
  { period: { days, changedDays } }: ExploreCase,
  work: () => Promise<Result>,
): Promise<Result> {
  if (days === null || changedDays === 0) return work()
  await pool.query(
    `insert into lead_day_changes (day) select $1::date + 7 * n from generate_series(1, $2) n`,
    [days[0], changedDays],
  )
  try {
    return await work()
  } finally {
    await pool.query('delete from lead_day_changes')
  }
}

async function measure(product: LeadsProduct, exploreCase: ExploreCase, rounds: number): Promise<Duration> {
  const times: Duration[] = []
  for (let round = 0; round < rounds; round += 1)
    times.push(await product.timePath(exploreCase.scope, toPath(exploreCase)))
  return {
    ms: computeSpread(times.map(({ ms }) => ms)).median,
    cpu: computeSpread(times.map(({ cpu }) => cpu)).median,
  }
}

/** Compares each cell of an answer with GROUP BY. Throws at the first difference. */
async function compare(
  product: LeadsProduct,
  duck: DuckDb,
  exploreCase: ExploreCase,
): Promise<{ groupByMs: number | null; duckMs: number; figures: number }> {
  const answer = await withChangedDays(product, exploreCase, () =>
    product.read(exploreCase.scope, toPath(exploreCase)),
  )
  const viewer = product.viewers[exploreCase.scope]
  const { ms: duckMs, rows } = await duck.query(buildExploreSql(exploreCase, viewer, 'duckdb'))
  const figures = compareCells(exploreCase, JSON.parse(answer) as ExploreAnswer, rows)
  if (!exploreCase.isCountedByPostgres) return { groupByMs: null, duckMs, figures }
  const startedAt = performance.now()
  const result = await product.pool.query<CountedCell>(buildExploreSql(exploreCase, viewer, 'postgres'))
  const groupByMs = performance.now() - startedAt
  compareCells(exploreCase, JSON.parse(answer) as ExploreAnswer, result.rows)
  return { groupByMs, duckMs, figures }
}

/** Returns the number of equal figures. */
function compareCells(
  exploreCase: ExploreCase,
  { items, totals, meta }: ExploreAnswer,
  cells: readonly CountedCell[],
): number {
  const fail = (reason: string) => new Error(`${formatPair(exploreCase)}: ${reason}`)
  const countedCells = new Map(cells.map((cell) => [`${cell.row_key} ${cell.column_key}`, cell]))
  let figures = 0
  for (const { row, column, metrics } of items) {
    if (row.kind === 'rest' || column?.kind === 'rest') continue
    const cell = countedCells.get(`${row.key ?? ''} ${column?.key ?? ''}`)
    if (Number(cell?.leads) !== metrics['leads'] || Number(cell?.profit) !== metrics['profit'])
      throw fail(`${row.key} ${column?.key} has ${metrics['leads']} leads, counted ${cell?.leads ?? 0}`)
    figures += 2
  }
  const sum = (values: readonly unknown[]) =>
    values.reduce<number>((total, value) => total + Number(value ?? 0), 0)
  const allLeads = sum(cells.map(({ leads }) => leads))
  const addedLeads = sum(items.map(({ metrics }) => metrics['leads']))
  if (addedLeads !== allLeads || totals.metrics['leads'] !== allLeads)
    throw fail(`the cells add up to ${addedLeads}, counted ${allLeads}`)
  return figures + meta.row_totals.length + meta.column_totals.length
}

/** Bytes for each lead of the tables of figures, and of the leads. */
async function readStorage({ pool, leads }: LeadsProduct): Promise<string> {
  const size = async (...tables: string[]) => {
    const { rows } = await pool.query<{ bytes: number }>(
      'select sum(pg_total_relation_size(t::regclass))::bigint as bytes from unnest($1::text[]) t',
      [tables],
    )
    return `${((rows[0]?.bytes ?? 0) / leads).toFixed(1)} B`
  }
  const older = await size('source_totals', 'offer_totals', 'stream_totals', 'buyer_days')
  const segments = await size('lead_segments', 'lead_texts')
  return (
    `For each lead the totals of the reports take ${older}, those of statuses ${await size('status_totals')}, ` +
    `segments ${segments}, spans ${await size('lead_spans')}, the leads ${await size('leads')}.`
  )
}
