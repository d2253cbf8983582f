import { dimensions, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { textDimensions } from '@karvon/contract/lib/lead-texts.ts'
import type { ExploreAnswer, ExploreQuery } from '@karvon/contract/explore/explore.ts'
import {
  getSumsOfMetric,
  metricNames,
  getRankFigure,
  sumFigures,
  type MetricName,
} from '@karvon/contract/explore/explore.metrics.ts'
import {
  findShift,
  intersectPeriods,
  periodOf,
  resolvePeriod,
  shiftBack,
  shiftEndBack,
  type DayPeriod,
} from '@karvon/contract/explore/explore.periods.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxExploreColumns, maxExploreMetrics, maxExplorePeriods } from '@karvon/contract/lib/limits.ts'
import { invalid } from '../../platform/http/errors.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { findStatusRecount } from '../rollups/rollups.recounts.queries.ts'
import { SumTable, type Names } from './explore.sum-table.ts'
import { hasNames, readCurrencies, readNames, type TopLimit } from './explore.queries.ts'
import { readToday } from '../../platform/database/clock.ts'
import { inSnapshot } from '../../platform/database/snapshot.ts'
import type { LeadFilters } from '../rollups/rollups.lead-filters.queries.ts'
import type { Question, QuestionPeriod } from './explore.question.ts'
import { readSums } from './explore.read.ts'

const defaultTop = [20, 10] as const

/**
 * Answers a question about the leads of a viewer, or about all leads for null, in one snapshot of the database. `query`
 * has the form of the call and is validated. Errors: 422 for an unknown name and for what the limits refuse.
 */
export function answerQuestion(db: Db, query: ExploreQuery, viewer: Viewer | null): Promise<ExploreAnswer> {
  return inSnapshot(db, (snapshot) => answerQuestionInSnapshot(snapshot, query, viewer))
}

/** Like {@link answerQuestion}, in a transaction that has one snapshot: for several questions about the same leads. */
export async function answerQuestionInSnapshot(
  snapshot: Db,
  query: ExploreQuery,
  viewer: Viewer | null,
): Promise<ExploreAnswer> {
  const metrics = readMetrics(query)
  const names = readDimensions(query)
  const sort = query.sort ?? metrics[0] ?? 'leads'
  const rank = getRankFigure(sort)
  const neededSums = new Set(['leads', rank, ...metrics.flatMap((metric) => getSumsOfMetric(metric))])
  const figures = sumFigures.filter((figure) => neededSums.has(figure))
  const topLimits = names.map((name, at): TopLimit => ({ size: findSize(name, at, query), rank }))
  const filters = readFilters(query)
  const periods = readPeriods(query, await readToday(snapshot))
  // Rollups of report columns follow a changed type in batches. All answers of Explore have the types of now.
  const looksUpTypes = figures.length > 1 && (await findStatusRecount(snapshot)) !== null
  const question: Question = { dimensions: names, figures, periods, filters, viewer, looksUpTypes }
  const sums = hasDays(periods) ? await readSums(snapshot, question, topLimits) : []
  const table = new SumTable({ ...question, metrics, rank, isCompared: periods.length > 1 }, sums)
  const labels = await readLabels(snapshot, names, table)
  const currencies = await readCurrencies(snapshot, question)
  return describeAnswer(table.build(labels), { names, metrics, sort, periods, currencies })
}

async function readLabels(snapshot: Db, names: readonly DimensionName[], table: SumTable): Promise<Names> {
  const labels: Partial<Record<DimensionName, ReadonlyMap<string, string>>> = {}
  for (const [at, name] of names.entries())
    if (hasNames(name)) labels[name] = await readNames(snapshot, name, table.listKeys(at === 0 ? 0 : 1))
  return labels
}

function describeAnswer(
  { items, totals, ...margins }: ReturnType<SumTable['build']>,
  {
    names,
    metrics,
    sort,
    periods,
    currencies,
  }: {
    names: DimensionName[]
    metrics: MetricName[]
    sort: MetricName
    periods: QuestionPeriod[]
    currencies: string[]
  },
): ExploreAnswer {
  const [period, comparedPeriod] = periods.map(({ start, end }) => ({
    start: start ?? null,
    end: end ?? null,
  }))
  const meta = {
    rows: names[0] ?? 'day',
    columns: names[1] ?? null,
    metrics,
    sort,
    period: period ?? { start: null, end: null },
    compared_period: comparedPeriod ?? null,
    currencies,
    ...margins,
  }
  return { items, totals, meta }
}

/** Splits a list of names with commas. Errors: 422 for a name that is not offered. */
function readList<Name extends string>(
  field: string,
  text: string | undefined,
  offeredNames: readonly Name[],
): Name[] {
  const words = [...new Set((text ?? '').split(',').map((word) => word.trim()))].filter((word) => word !== '')
  return words.map((word) => {
    const offeredName = offeredNames.find((name) => name === word)
    if (offeredName === undefined) throw invalid([fieldError(field, 'must_be_offered', { label: field })])
    return offeredName
  })
}

function readMetrics(query: ExploreQuery): MetricName[] {
  const metrics = readList('metrics', query.metrics, metricNames)
  if (query.columns !== undefined && metrics.length > maxExploreMetrics)
    throw invalid([fieldError('metrics', 'too_many_entries', { label: 'metrics', max: maxExploreMetrics })])
  return metrics.length === 0 ? ['leads'] : metrics
}

function readDimensions({ rows = 'day', columns }: ExploreQuery): DimensionName[] {
  if (columns === undefined) return [rows]
  if (columns === rows) throw invalid([fieldError('columns', 'not_valid', { label: 'columns' })])
  return [rows, columns]
}

/** A time keeps its own number of keys; as columns it keeps the newest ones. */
function findSize(name: DimensionName, at: number, query: ExploreQuery): number {
  if (dimensions[name].kind === 'cycle') return 24
  if (dimensions[name].kind === 'period') return at === 0 ? maxExplorePeriods : maxExploreColumns
  return (at === 0 ? query.top_rows : query.top_columns) ?? defaultTop[at === 0 ? 0 : 1]
}

const valueFilters = [
  'weekday',
  'hour',
  'source',
  'offer',
  'stream',
  'buyer',
  'status',
  ...textDimensions,
] as const

function readFilters(query: ExploreQuery): LeadFilters {
  const withoutNames = readList('without', query.without, textDimensions)
  const filters: Partial<Record<keyof LeadFilters, (number | string)[]>> = {}
  for (const name of valueFilters) {
    const values = query[name]
    if (values !== undefined) filters[name] = [...new Set<number | string>(values)]
  }
  for (const name of withoutNames) filters[name] = [...(filters[name] ?? []), '']
  return filters
}

/** The requested days, and the compared ones. The filters by day, week and month make both shorter. */
function readPeriods(query: ExploreQuery, today: string): QuestionPeriod[] {
  const { date_from: start, date_to: end, compare } = query
  const base =
    start === undefined && end === undefined ? resolvePeriod(query.period ?? 'all', today) : { start, end }
  const requestedPeriod = (['day', 'week', 'month'] as const).reduce<DayPeriod>((period, name) => {
    const day = query[name]
    return day === undefined ? period : intersectPeriods(period, periodOf[name](day))
  }, base)
  const question = {
    start: requestedPeriod.start,
    end: requestedPeriod.end,
    shift: null,
    firstDay: requestedPeriod.start,
  }
  if (compare === undefined) return [question]
  const [from, to] =
    base.start === undefined || base.end === undefined
      ? [requestedPeriod.start, requestedPeriod.end]
      : [base.start, base.end]
  if (
    from === undefined ||
    to === undefined ||
    requestedPeriod.start === undefined ||
    requestedPeriod.end === undefined
  )
    throw invalid([fieldError('compare', 'comparison_without_period', { label: 'compare' })])
  const shift = findShift(compare, { start: from, end: to })
  const movedPeriod = {
    start: shiftBack(requestedPeriod.start, shift),
    end: shiftEndBack(requestedPeriod.end, shift),
  }
  return [question, { ...movedPeriod, shift, firstDay: requestedPeriod.start }]
}

/** Whether a period has a day: filters may leave none. */
const hasDays = ([requestedPeriod]: readonly QuestionPeriod[]): boolean =>
  requestedPeriod?.start === undefined ||
  requestedPeriod.end === undefined ||
  requestedPeriod.start <= requestedPeriod.end
