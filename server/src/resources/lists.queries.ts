import type { Statement } from '../platform/exports/exports.rows.ts'
import type { PageRange } from '../platform/http/paging.ts'
import { findRangedPage } from './lists.ranges.ts'
import type { Where } from './lists.where.ts'

/** One list for one validated query, as SQL. Pages, counts and exports of all lists are built from it. */
export interface ListDeclaration {
  /** The table, or a query of `with`, whose rows are the items. It has a column `id`. */
  table: string
  alias: string
  /** The column that decides in which partition of the table a row is. A row of a page is looked up in this partition alone. */
  partitionKey?: string
  /** Further tables, one row for each item: `join users u on u.id = s.user_id`. */
  join?: string
  /** Queries that the others read, without the word `with`. */
  with?: string
  /** An item: the select list of its fields, or an expression of its JSON. */
  item: { columns: string } | { json: string }
  /** The conditions of the scope and of the filters. */
  where: Where
  /**
   * The condition of the rows that the caller may see, which are counted at each request. Its parameters are the first
   * ones of `where`. Without it the caller sees all rows, whose number is in `row_counts`.
   */
  scopeCondition?: string
  /** `order by` with a unique order of the rows. */
  order: string
  /** The reverse of `order`. With it a page of the second half is read from the end. */
  reversedOrder?: string
  /** The direction of `order`, if the list has all rows of a table with counted ranges in the order of their ids. */
  rangeDirection?: 'asc' | 'desc' | undefined
  /**
   * How PostgreSQL plans the statements. `parameters`: prepared, with size and offset as parameters, so that it plans
   * for the values as long as this is cheaper. `constants`: prepared, and the common first pages have a constant size,
   * so that one plan is reused. `values`: not prepared, planned for the values of each request.
   */
  planning?: 'parameters' | 'constants' | 'values'
  /** The number of matching rows, where a query of `with` knows it. */
  filtered?: string
  /** Further values of `meta`: an expression of a JSON object. */
  extraMeta?: string
  /**
   * The statement of the columns `total` and `filtered`, or their values, where counting first is cheaper: if no row
   * matches, no page is read.
   */
  counts?: Statement | ListCounts
  /** Selects the ids of a page, for lists whose plain condition uses no index. */
  selectPageIds?: (where: Where, range: PageRange, order: string) => string
  /** Changes each item in JavaScript (masks). Without it the JSON is not parsed. */
  transformRow?: ((row: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** Keys of items that are not exported. */
  omittedKeys?: ReadonlySet<string>
  defaultPageSize?: number
  /** Of a list that is used again: the statements of its first pages, by their sizes. */
  firstPages?: Map<number, Statement>
}

export interface ListCounts {
  /** Rows that the caller may see. */
  total: number
  /** Rows that match the filters. */
  filtered: number
  /**
   * Rows next to each other that contain the page, if `where` matches these alone: their number, and the number of matching
   * rows before them.
   */
  part?: { skipped: number; rows: number }
}

// The page sizes of the web app. Each has its own statement.
const commonPageSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100, 200])

/**
 * Builds the statement of a page, which returns one row: `items` (a JSON array), `count`, and unless the list counts
 * first also `total`, `filtered` and `extra_meta`. With `fromEnd`, the offset counts from the end.
 *
 * It finds the ids of the page first, from an index alone if possible, and then reads the rows by id. `offset 0` keeps
 * PostgreSQL from reading them in another way.
 */
export function buildPageStatement(list: ListDeclaration, range: PageRange, fromEnd = false): Statement {
  const { table, alias, join = '', order, reversedOrder, partitionKey } = list
  const where = list.where.copy()
  if (fromEnd && reversedOrder === undefined) throw new Error(`${table} has no reversed order`)
  const pageOrder = fromEnd && reversedOrder !== undefined ? reversedOrder : order
  const direction = range.offset === 0 ? undefined : list.rangeDirection
  const rangedPage = direction && findRangedPage({ table, alias, direction }, range, where)
  const rowKey = partitionKey === undefined ? ['id'] : ['id', partitionKey]
  const ids =
    list.selectPageIds?.(where, range, pageOrder) ??
    `select ${rowKey.map((column) => `${alias}.${column}`).join(', ')} from ${table} ${alias} ${join} where ${rangedPage?.condition ?? where.toString()}`
  const isConstant =
    list.planning === 'constants' &&
    commonPageSizes.has(range.size) &&
    (range.offset === 0 || rangedPage !== undefined)
  const size = isConstant ? String(range.size) : `${where.addParameter(range.size)}::bigint`
  const offset = rangedPage?.offset ?? (isConstant ? '0' : `${where.addParameter(range.offset)}::bigint`)
  const counts = list.counts === undefined ? buildCounts(list) : { queries: '', columns: '' }
  const text = `with ${list.with === undefined ? '' : `${list.with}, `}${counts.queries}${rangedPage?.queries ?? ''}page as (${ids} ${pageOrder} limit ${size} offset ${offset}),
items as (select ${selectItem(list)} from page cross join lateral
  (select * from ${table} o where ${rowKey.map((column) => `o.${column} = page.${column}`).join(' and ')} offset 0) ${alias} ${join} ${order})
select count(*) as count, '[' || coalesce(string_agg(${buildItemJson(list, 'items')}, ','), '') || ']' as items${counts.columns} from items`
  return { text, values: where.values }
}

/** The statement of a page from the start of the list. A list with `firstPages` keeps the statement of its first page. */
export function getPageStatement(list: ListDeclaration, range: PageRange): Statement {
  const knownPage = range.offset === 0 ? list.firstPages?.get(range.size) : undefined
  if (knownPage !== undefined) return knownPage
  const statement = buildPageStatement(list, range)
  if (range.offset === 0) list.firstPages?.set(range.size, statement)
  return statement
}

/** Builds the statement of all matching rows, each as JSON text in `item`. */
export function buildExportStatement(list: ListDeclaration): Statement {
  const { table, alias, join = '', where, order } = list
  const items = `select ${selectItem(list)} from ${table} ${alias} ${join} where ${where.toString()} ${order}`
  const withQueries = list.with === undefined ? '' : `with ${list.with} `
  const text = `${withQueries}select ${buildItemJson(list, 'j')} as item from (${items}) j`
  return { text, values: where.values }
}

const selectItem = ({ item }: ListDeclaration) => ('json' in item ? `${item.json} as item` : item.columns)

const buildItemJson = ({ item }: ListDeclaration, row: string) =>
  'json' in item ? `${row}.item::text` : `row_to_json(${row})::text`

function buildCounts(list: ListDeclaration): { queries: string; columns: string } {
  const { table, alias, join = '', scopeCondition: visible } = list
  const count = (condition: string) => `(select count(*) from ${table} ${alias} ${join} where ${condition})`
  const matching = list.where.toString()
  const hasFilters = matching !== (visible ?? 'true')
  const total = visible === undefined ? totalRowsSql(table) : count(visible)
  const filteredCountSql = list.filtered ?? (hasFilters ? count(matching) : '(select n from total)')
  const extraMeta = list.extraMeta === undefined ? '' : `, ${list.extraMeta} as extra_meta`
  return {
    queries: `total as (select ${total} as n),\n`,
    columns: `, (select n from total) as total, ${filteredCountSql} as filtered${extraMeta}`,
  }
}

/** SQL of the row count of a table, which triggers keep up to date. */
export const totalRowsSql = (table: string): string =>
  `(select coalesce(sum(rows), 0)::bigint from row_counts where table_name = '${table}')`
