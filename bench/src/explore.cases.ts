import { dimensionNames, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { rollupDimensions } from '@karvon/server/domains/explore/explore.question.ts'
import { shape, span } from './leads.generate.queries.ts'
import type { Scope } from './reports.cases.ts'

/** The largest median of a question, in milliseconds: of dimensions with rollups or spans, and of others over 30 days and longer. */
const limits = { few: 75, days30: 100, all: 1000 }

const fewValueDimensions: ReadonlySet<DimensionName> = new Set([...rollupDimensions, 'status'])

export interface ExplorePeriod {
  readonly name: string
  /** Days, both inclusive; null: all time. */
  readonly days: readonly [string, string] | null
  /** How many of the days count as changed after their segments were built. */
  readonly changedDays: number
}

export interface ExploreCase {
  readonly scope: Scope
  readonly rows: DimensionName
  readonly columns: DimensionName
  readonly period: ExplorePeriod
  readonly limit: number
  /** Whether PostgreSQL counts the leads, too. Over all time it takes long, so it counts the pairs with a status there. */
  readonly isCountedByPostgres: boolean
}

const dayOf = (number: number) =>
  new Date(Date.parse(span.first) + number * 86_400_000).toISOString().slice(0, 10)
const last = shape.days - 1
const allTime: ExplorePeriod = { name: 'all time', days: null, changedDays: 0 }
/** Days at both ends that no span contains. */
const mostDays: ExplorePeriod = { name: '725 days', days: [dayOf(2), dayOf(last - 3)], changedDays: 0 }
const days30: ExplorePeriod = { name: '30 days', days: [dayOf(last - 29), dayOf(last)], changedDays: 0 }
const days30Changed: ExplorePeriod = { ...days30, name: '30 days, 3 of them changed', changedDays: 3 }

const buildCase = (scope: Scope, [rows, columns]: Pair, period: ExplorePeriod): ExploreCase => {
  const limit =
    fewValueDimensions.has(rows) && fewValueDimensions.has(columns)
      ? limits.few
      : period.days === null
        ? limits.all
        : limits.days30
  const isShort = period.days !== null && period.name === days30.name
  const isCountedByPostgres =
    isShort || (scope === 'admin' && fewValueDimensions.has(rows) && columns === 'status')
  return { scope, rows, columns, period, limit, isCountedByPostgres }
}

type Pair = readonly [DimensionName, DimensionName]
const pairs = dimensionNames.flatMap((rows, at) =>
  dimensionNames.slice(at + 1).map((columns): Pair => [rows, columns]),
)
const fewPairs = pairs.filter(
  ([rows, columns]) => fewValueDimensions.has(rows) && fewValueDimensions.has(columns),
)
const statusPairs = fewPairs.filter((pair) => pair.includes('status'))
/** Pairs that read leads: those with the most keys, and one of each kind of dimension. */
const leadPairs: readonly Pair[] = [
  ['hour', 'weekday'],
  ['hour', 'stream'],
  ['region', 'cancel_reason'],
  ['region', 'status'],
  ['sub1', 'sub2'],
  ['day', 'sub1'],
  ['sub1', 'source'],
  ['sub1', 'offer'],
  ['sub1', 'stream'],
  ['sub1', 'buyer'],
  ['sub1', 'status'],
]

export const exploreCases: readonly ExploreCase[] = [
  ...fewPairs.flatMap((pair) => [days30, allTime].map((period) => buildCase('admin', pair, period))),
  ...statusPairs.map((pair) => buildCase('admin', pair, mostDays)),
  ...statusPairs.flatMap((pair) => [days30, allTime].map((period) => buildCase('user', pair, period))),
  ...leadPairs.flatMap((pair) =>
    [days30, days30Changed, allTime].map((period) => buildCase('admin', pair, period)),
  ),
]
