import { equalCharacters } from '@karvon/contract/lib/search-characters.ts'
import { dayStart } from '../platform/database/day-bounds.ts'

export type SqlType = 'bigint' | 'date' | 'integer' | 'text'

/** Collects the SQL conditions of a hand-written list and their numbered parameters. */
export class Where {
  readonly values: unknown[]
  readonly #conditions: string[]

  constructor(values: unknown[] = [], conditions: string[] = []) {
    this.values = values
    this.#conditions = conditions
  }

  /** A copy that can have further conditions and parameters. */
  copy(): Where {
    return new Where([...this.values], [...this.#conditions])
  }

  /** Adds `condition`, which has a `?` for each of `values`. Adds nothing when a value is undefined. */
  and(condition: string, ...values: unknown[]): this {
    if (values.includes(undefined)) return this
    const parts = condition.split('?')
    if (parts.length !== values.length + 1) throw new Error(`${condition} takes ${parts.length - 1} values`)
    this.#conditions.push(
      parts.map((part, i) => (i === 0 ? part : `${this.addParameter(values[i - 1])}${part}`)).join(''),
    )
    return this
  }

  /** Adds that a moment, the SQL `column`, is in the days of a validated query. */
  andDays(
    column: string,
    { start_date: start, end_date: end }: { start_date?: string | undefined; end_date?: string | undefined },
  ): this {
    if (start !== undefined) this.and(`${column} >= ${dayStart(`${this.addParameter(start)}::date`)}`)
    if (end !== undefined) this.and(`${column} < ${dayStart(`${this.addParameter(end)}::date + 1`)}`)
    return this
  }

  /** Adds an exact filter for each key of `columns`, SQL by key, that has a value in the validated query. */
  andEqual(columns: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): this {
    for (const [key, column] of Object.entries(columns)) this.and(`${column} = ?`, query[key])
    return this
  }

  /**
   * SQL: `expression` has one of `values`, which are not empty. A single one is compared by `=`, so that PostgreSQL can read
   * an index in the order that follows it.
   */
  writeOneOf(expression: string, values: readonly unknown[], type: SqlType): string {
    const [firstValue, ...otherValues] = values
    if (otherValues.length === 0) return `${expression} = ${this.addParameter(firstValue)}`
    return `${expression} = any(${this.addParameter(values)}::${type}[])`
  }

  /** Adds a parameter outside the conditions and returns its `$n`. */
  addParameter(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  toString(): string {
    return this.#conditions.length === 0 ? 'true' : this.#conditions.join(' and ')
  }
}

interface SortOptions {
  /** SQL by sort key. */
  columns: Readonly<Record<string, string>>
  /** The validated `sort` of a query. A leading - means descending. */
  sort: unknown
  defaultSort: string
  /** A unique column. Equal values are sorted by it, so that no row appears on two pages. */
  tieBreaker: string
  /** Keys without nulls. They have no `nulls last`, so that PostgreSQL can use a plain index. */
  notNullKeys?: readonly string[]
  /** Keys with texts that people read, sorted by {@link buildTextOrder}. */
  textKeys?: readonly string[]
}

/**
 * SQL: the text by which a list sorts the texts of a column: in any letter case, ё as е, and in the same order in every database.
 * The indexes of sorted columns have this expression.
 */
export const buildTextOrder = (column: string): string => `translate(lower(${column}), 'ё', 'е') collate "C"`

/** Builds `order by`, with nulls last. */
export function buildOrderBy({
  columns,
  sort,
  defaultSort,
  tieBreaker,
  notNullKeys,
  textKeys,
}: SortOptions): string {
  const requestedSort = typeof sort === 'string' ? sort : defaultSort
  const direction = requestedSort.startsWith('-') ? 'desc' : 'asc'
  const key = requestedSort.replace(/^-/, '')
  const column = columns[key]
  if (column === undefined) throw new Error(`${requestedSort} is no key of this list`)
  if (column === tieBreaker) return `order by ${tieBreaker} ${direction}`
  const nulls = notNullKeys?.includes(key) === true ? '' : ' nulls last'
  const value = textKeys?.includes(key) === true ? buildTextOrder(column) : column
  return `order by ${value} ${direction}${nulls}, ${tieBreaker} ${direction}`
}

/** Escapes % _ and \ of a text for a pattern of like. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

const characterGroups = equalCharacters.map((characters) => ({
  pattern: new RegExp(characters, 'gi'),
  replacement: characters,
}))

/**
 * A regular expression of PostgreSQL that finds the text anywhere, with the operator `~*`. It finds any of
 * {@link equalCharacters} for another.
 */
export const buildSearchPattern = (text: string): string =>
  characterGroups.reduce(
    (result, { pattern, replacement }) => result.replaceAll(pattern, replacement),
    text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`),
  )

/** The pattern of a `search` parameter; undefined without one. */
export const toSearchPattern = (search: string | undefined): string | undefined =>
  search === undefined ? undefined : buildSearchPattern(search)
