import { getReadableFields, getReferenceName, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { getTableName } from '../platform/database/pg-errors.ts'

/** SQL expressions over the row `t`, by their keys in the answer. */
export type ExtraColumns = Readonly<Record<string, string>>

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
const columnOf = (key: string) => `t.${quoteName(key)}`

/**
 * The select list of a row as the API returns it, in the order of its schema: fields, `{id, name}` for each reference,
 * extra columns, times.
 */
function buildRowColumns(resource: Resource, extra: ExtraColumns = {}): string {
  const parts = [columnOf('id')]
  for (const [key, field] of getReadableFields(resource.fields)) {
    parts.push(`${columnOf(field.aliasOf ?? key)} as ${quoteName(key)}`)
    if (field.kind === 'reference')
      parts.push(`${selectReference(key, field.target)} as ${quoteName(getReferenceName(key))}`)
  }
  for (const [key, expression] of Object.entries(extra)) parts.push(`${expression} as ${quoteName(key)}`)
  return [...parts, columnOf('created_at'), columnOf('updated_at')].join(', ')
}

/** A subquery by primary key for each row: the planner cannot turn it into a scan of the other table. */
function selectReference(key: string, to: string | undefined): string {
  const target = resources.find((each) => each.name === to)
  if (target === undefined) throw new Error(`${key} refers to ${to ?? 'nothing'}, which is no resource`)
  const name = `r.${quoteName(target.nameField)}`
  return `(select json_build_object('id', r.id, 'name', ${name}) from ${getTableName(target)} r where r.id = ${columnOf(key)})`
}

/** SQL of one row as JSON text, by id ($1). */
export const buildRowText = (resource: Resource, extra?: ExtraColumns): string =>
  `select row_to_json(j)::text as row from (select ${buildRowColumns(resource, extra)} from ${getTableName(resource)} t where t.id = $1) j`

/** Filters and order of a list. Values are parameters. */
interface ListMatch {
  /** A column; a leading - means descending. */
  sort: string
  /** Columns that must equal a value; the resource's search column must match a pattern. */
  filters: readonly string[]
  search: boolean
}

/** Everything that changes the SQL text of a list. */
export interface ListShape extends ListMatch {
  /** Size and offset count from the end, so the last page is as fast as the first. */
  fromEnd: boolean
  /**
   * The size of a first page as a constant, without size and offset parameters. PostgreSQL then knows how few rows it
   * reads, and reuses one plan.
   */
  first?: number
}

/**
 * SQL of a list page, which returns one row: `items` (JSON texts joined by commas), `count`, `total`, and `filtered`
 * with any filter. Parameters: the values of the filters, the search pattern, size, offset.
 *
 * It finds the ids of the page first, from an index alone if possible, and then reads the rows by id.
 */
export function buildListText(resource: Resource, shape: ListShape, extra?: ExtraColumns): string {
  const table = getTableName(resource)
  const where = buildWhere(resource, shape)
  const count = shape.filters.length + (shape.search ? 1 : 0)
  const span = shape.first
    ? `limit ${shape.first}`
    : `limit $${count + 1}::bigint offset $${count + 2}::bigint`
  const matched = where === '' ? '' : `, matched as (select count(*) as n from ${table} t${where})`
  return `with total as (select coalesce(sum(rows), 0)::bigint as n from row_counts where table_name = '${table}')${matched},
page as (select t.id from ${table} t${where} ${buildOrder(shape.sort, shape.fromEnd)} ${span}),
filled as (select ${buildRowColumns(resource, extra)} from page cross join lateral
  (select * from ${table} o where o.id = page.id offset 0) t ${buildOrder(shape.sort, false)})
select (select n from total) as total, ${where === '' ? 'null::bigint' : '(select n from matched)'} as filtered,
  count(*) as count, coalesce(string_agg(row_to_json(filled)::text, ','), '') as items from filled`
}

/** SQL of all matching rows, each as JSON text in `item`. Parameters: the values of the filters, the search pattern. */
export function buildExportText(resource: Resource, shape: ListMatch, extra?: ExtraColumns): string {
  const rows = `select ${buildRowColumns(resource, extra)} from ${getTableName(resource)} t${buildWhere(resource, shape)}`
  return `select row_to_json(j)::text as item from (${rows} ${buildOrder(shape.sort, false)}) j`
}

function buildWhere(resource: Resource, { filters, search }: ListMatch): string {
  const { searchBy } = resource.quirks
  const conditions = filters.map((key, i) => `${columnOf(key)} ${key === searchBy ? 'ilike' : '='} $${i + 1}`)
  if (search) conditions.push(buildSearch(resource, `$${filters.length + 1}`))
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

/** A stable order: equal values are sorted by id, so that no row appears on two pages. */
function buildOrder(sort: string, reversed: boolean): string {
  const descending = sort.startsWith('-') !== reversed
  const key = sort.replace(/^-/, '')
  const way = descending ? 'desc' : 'asc'
  return `order by ${key === 'id' ? '' : `${columnOf(key)} ${way}, `}${columnOf('id')} ${way}`
}

function buildSearch(resource: Resource, parameter: string): string {
  const keys = getReadableFields(resource.fields).flatMap(([key, field]) => (field.search ? [key] : []))
  if (keys.length === 0) return `false and ${parameter}::text is null`
  return `(${keys.map((key) => `${columnOf(key)} ilike ${parameter}`).join(' or ')})`
}

/** A pattern of ilike that finds the text anywhere. It escapes % _ and \ in the text. */
export const toLikePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
