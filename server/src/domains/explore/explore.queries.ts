import { isMoneyFigure } from '@karvon/contract/explore/explore.metrics.ts'
import { dimensions, type DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { Where } from '../../resources/lists.where.ts'
import { currenciesSql, type CurrencyFilter } from '../rollups/rollups.currencies.queries.ts'
import { leadRowsSql } from './explore.leads.queries.ts'
import { keyColumn } from './explore.keys.ts'
import type { Question } from './explore.question.ts'
import { rollupRowsSql, type KeyLimits } from './explore.rollups.queries.ts'

/**
 * How a dimension is limited: the number of keys, and the sum by which they are chosen. A time keeps its
 * newest keys.
 */
export interface TopLimit {
  readonly size: number
  readonly rank: SumFigure
}

/**
 * Sums of an answer. `period` is the position of the period, `key_count` the number of all keys. The figures are
 * texts of whole numbers; money is in hundredths.
 */
export type SumRow = {
  kind: 'total' | 'row' | 'column' | 'cell'
  period: number
  row_key: string | null
  column_key: string | null
  key_count: number
} & Record<SumFigure, string>

/** Makes the sums of a row those of a column with the same key. */
export const moveToColumn = (row: SumRow): SumRow => ({
  ...row,
  kind: 'column',
  row_key: null,
  column_key: row.row_key,
})

const sides = ['rows', 'columns'] as const

const outputSql = (figure: SumFigure, value: string) =>
  `${isMoneyFigure(figure) ? `trunc(${value} * 100)` : value}::text as ${figure}`

/** The groups of a question: one row for each period and keys that have leads. */
const groupsSql = (rows: string, { dimensions: names, figures }: Question): string => {
  const keys = ['period', ...names.map((_, at) => keyColumn(at))].join(', ')
  return `select ${keys}, ${figures.map((figure) => `sum(${figure}) as ${figure}`).join(', ')}
    from (${rows}) f group by ${keys} having sum(leads) <> 0`
}

/** SQL of the queries `ranked_rows` or `ranked_columns`, with all keys, and `top_rows` or `top_columns`. */
function topSql(at: number, name: DimensionName, { size, rank }: TopLimit): string {
  const order = dimensions[name].kind === 'period' ? 'key desc' : 'rank desc, key'
  return `ranked_${sides[at]} as materialized (
      select key, max(abs(rank)) as rank from (
        select period, ${keyColumn(at)} as key, sum(${rank}) as rank from key_sums group by 1, 2
      ) s group by key
    ),
    top_${sides[at]} as materialized (select key from ranked_${sides[at]} order by ${order} limit ${size})`
}

/**
 * Totals, the top rows and columns with their sums, and the cells of these, from the groups of the question.
 */
function sumsSql(
  groups: string,
  { dimensions: names, figures }: Question,
  topLimits: readonly TopLimit[],
): string {
  const sums = figures.map((figure) => outputSql(figure, `sum(${figure})`)).join(', ')
  const values = figures.map((figure) => outputSql(figure, figure)).join(', ')
  const margins = names.map((_, at) => {
    const keys = at === 0 ? `'row', period, row_key::text, null` : `'column', period, null, column_key::text`
    return `select ${keys}, (select count(*)::integer from ranked_${sides[at]}), ${sums} from key_sums
      where ${keyColumn(at)} in (select key from top_${sides[at]}) group by period, ${keyColumn(at)}`
  })
  const cells = `select 'cell', period, row_key::text, column_key::text, 0, ${values} from key_sums
    where row_key in (select key from top_rows) and column_key in (select key from top_columns)`
  const tops = names.map((name, at) => topSql(at, name, topLimits[at] ?? { size: 1, rank: 'leads' }))
  return `with key_sums as materialized (${groups}), ${tops.join(', ')}
    select 'total' as kind, period, null as row_key, null as column_key, 0 as key_count, ${sums} from key_sums group by period
    union all ${[...margins, ...(names.length > 1 ? [cells] : [])].join(' union all ')}`
}

type BuildRows = (parameters: Where, question: Question, limits?: KeyLimits) => string

/** Reads the sums of a question from one kind of rows. */
export interface SumReader {
  /** All sums. */
  readonly readAll: (trx: Db, question: Question, topLimits: readonly TopLimit[]) => Promise<SumRow[]>
  /** Only the cells of these keys. */
  readonly readCells: (trx: Db, question: Question, limits: KeyLimits) => Promise<SumRow[]>
}

const createReader = (buildRows: BuildRows): SumReader => ({
  readAll: (trx, question, topLimits) => {
    const where = new Where()
    const groups = groupsSql(buildRows(where, question), question)
    return queryRows(trx, sumsSql(groups, question, topLimits), where.values)
  },
  readCells: (trx, question, limits) => {
    const where = new Where()
    const groups = groupsSql(buildRows(where, question, limits), question)
    const values = question.figures.map((figure) => outputSql(figure, figure)).join(', ')
    const text = `select 'cell' as kind, period, row_key::text, column_key::text, 0 as key_count, ${values} from (${groups}) g`
    return queryRows(trx, text, where.values)
  },
})

export const leadReader = createReader(leadRowsSql)
export const rollupReader = createReader(rollupRowsSql)

/**
 * Whether all leads are in the totals of statuses. A job counts those that were stored before there were
 * totals.
 */
export async function hasStatusTotals(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ is_counted: boolean }>`
    select statuses_counted_to is null as is_counted from installation`.execute(trx)
  return rows[0]?.is_counted === true
}

const dimensionTables = {
  source: 'cpa_sources',
  offer: 'offers',
  stream: 'streams',
  buyer: 'users',
  status: 'statuses',
} as const
export type NamedDimension = keyof typeof dimensionTables
export const hasNames = (name: DimensionName): name is NamedDimension => Object.hasOwn(dimensionTables, name)

/** The largest id of a dimension. */
export async function readLastId(trx: Db, dimension: NamedDimension): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(id), 0)::integer as last from ${sql.table(dimensionTables[dimension])}`.execute(trx)
  return rows[0]?.last ?? 0
}

/** The names of rows by the texts of their ids. */
export async function readNames(
  trx: Db,
  dimension: NamedDimension,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id::text as id, name from ${sql.table(dimensionTables[dimension])} where id = any(${ids}::bigint[])`.execute(
    trx,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The currencies of the leads of a question, whatever its days are. */
export async function readCurrencies(
  trx: Db,
  { filters, viewer }: Pick<Question, 'filters' | 'viewer'>,
): Promise<string[]> {
  const where = new Where()
  const { source, stream, buyer } = filters as CurrencyFilter
  const text = currenciesSql(where, { source, stream, buyer }, viewer)
  const rows = await queryRows<{ currencies: string[] }>(trx, `select ${text} as currencies`, where.values)
  return rows[0]?.currencies ?? []
}

/** Lets a statement that reads many leads sort in memory, and use the processors that are free. */
export async function raiseWorkLimits(trx: Db): Promise<void> {
  await sql`select set_config('work_mem', '64MB', true), set_config('max_parallel_workers_per_gather', '2', true)`.execute(
    trx,
  )
}
