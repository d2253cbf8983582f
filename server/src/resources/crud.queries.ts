import { readable, referenceName, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { tableOf } from '../platform/database/pg-errors.ts'

/** SQL expressions over the row `t`, by the key under which the answer carries them. */
export type Extra = Readonly<Record<string, string>>

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const column = (key: string) => `t.${quoted(key)}`

/**
 * The select list of a resource's row as the wire answers it, in the order of its schema: its fields,
 * `{id, name}` beside each reference, what `extra` adds, its times.
 */
function rowColumns(resource: Resource, extra: Extra = {}): string {
  const parts = [column('id')]
  for (const [key, field] of readable(resource.fields)) {
    parts.push(`${column(field.of ?? key)} as ${quoted(key)}`)
    if (field.kind === 'reference') parts.push(`${named(key, field.to)} as ${quoted(referenceName(key))}`)
  }
  for (const [key, expression] of Object.entries(extra)) parts.push(`${expression} as ${quoted(key)}`)
  return [...parts, column('created_at'), column('updated_at')].join(', ')
}

/** A look-up a row, by primary key: the planner cannot turn it into a scan of the whole other table. */
function named(key: string, to: string | undefined): string {
  const target = resources.find((each) => each.name === to)
  if (target === undefined) throw new Error(`${key} refers to ${to ?? 'nothing'}, which is no resource`)
  const name = `r.${quoted(target.naming)}`
  return `(select json_build_object('id', r.id, 'name', ${name}) from ${tableOf(target)} r where r.id = ${column(key)})`
}

/** One row as JSON text, by id ($1); no row where there is none. */
export const rowText = (resource: Resource, extra?: Extra): string =>
  `select row_to_json(j)::text as row from (select ${rowColumns(resource, extra)} from ${tableOf(resource)} t where t.id = $1) j`

/** Which rows a list has, and how they stand; values are parameters. */
interface Matching {
  /** A column, a leading - for descending. */
  sort: string
  /** Columns that must equal a value, in order; the one that the resource is searched by must match a pattern. */
  filters: readonly string[]
  search: boolean
}

/** What decides a list's text. */
export interface ListShape extends Matching {
  /** Read backwards; size and offset then count from the far end, so the last page costs what the first does. */
  fromEnd: boolean
  /**
   * The first page of so many rows: no size and offset among the parameters. PostgreSQL then knows beforehand
   * how little it reads, and keeps one plan instead of making one for each request.
   */
  first?: number
}

/**
 * A list as one statement of one row: `items` (JSON texts joined by commas), `count`, `total`, and
 * `filtered` where anything filters. Parameters: the filters' values, the search pattern, then size and offset.
 *
 * The page's ids are found first, in the index alone where there is one; rows are fetched by id after that.
 */
export function listText(resource: Resource, shape: ListShape, extra?: Extra): string {
  const table = tableOf(resource)
  const where = matching(resource, shape)
  const count = shape.filters.length + (shape.search ? 1 : 0)
  const span = shape.first
    ? `limit ${shape.first}`
    : `limit $${count + 1}::bigint offset $${count + 2}::bigint`
  const matched = where === '' ? '' : `, matched as (select count(*) as n from ${table} t${where})`
  return `with total as (select coalesce(sum(rows), 0)::bigint as n from row_counts where table_name = '${table}')${matched},
page as (select t.id from ${table} t${where} ${order(shape.sort, shape.fromEnd)} ${span}),
filled as (select ${rowColumns(resource, extra)} from page cross join lateral
  (select * from ${table} o where o.id = page.id offset 0) t ${order(shape.sort, false)})
select (select n from total) as total, ${where === '' ? 'null::bigint' : '(select n from matched)'} as filtered,
  count(*) as count, coalesce(string_agg(row_to_json(filled)::text, ','), '') as items from filled`
}

/** All rows that match, each as JSON text `item`. Parameters: the filters' values, then the search pattern. */
export function allText(resource: Resource, shape: Matching, extra?: Extra): string {
  const rows = `select ${rowColumns(resource, extra)} from ${tableOf(resource)} t${matching(resource, shape)}`
  return `select row_to_json(j)::text as item from (${rows} ${order(shape.sort, false)}) j`
}

function matching(resource: Resource, { filters, search }: Matching): string {
  const { searchBy } = resource.quirks
  const conditions = filters.map((key, i) => `${column(key)} ${key === searchBy ? 'ilike' : '='} $${i + 1}`)
  if (search) conditions.push(searched(resource, `$${filters.length + 1}`))
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

/** Stable: equal values stand by id, so that no row shows on two pages. */
function order(sort: string, reversed: boolean): string {
  const descending = sort.startsWith('-') !== reversed
  const key = sort.replace(/^-/, '')
  const way = descending ? 'desc' : 'asc'
  return `order by ${key === 'id' ? '' : `${column(key)} ${way}, `}${column('id')} ${way}`
}

function searched(resource: Resource, parameter: string): string {
  const keys = readable(resource.fields).flatMap(([key, field]) => (field.search ? [key] : []))
  if (keys.length === 0) return `false and ${parameter}::text is null`
  return `(${keys.map((key) => `${column(key)} ilike ${parameter}`).join(' or ')})`
}

/** A pattern that finds the text anywhere, its own % _ and \ taken literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
