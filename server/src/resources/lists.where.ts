/** Collects the SQL conditions of a hand-written list and their numbered parameters. */
export class Where {
  readonly values: unknown[] = []
  readonly #conditions: string[] = []

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

  /** Adds a parameter outside the conditions and returns its `$n`. */
  addParameter(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  get hasConditions(): boolean {
    return this.#conditions.length > 0
  }

  toString(): string {
    return this.#conditions.length === 0 ? 'true' : this.#conditions.join(' and ')
  }
}

/**
 * Builds `order by` for a validated `sort`, or for `defaultSort`. A leading - means descending; nulls are last. Equal
 * values are sorted by `tieBreaker`, so that no row appears on two pages. Keys in `notNullKeys` have no `nulls last`,
 * so that PostgreSQL can use a plain index.
 */
export function buildOrderBy(
  columns: Readonly<Record<string, string>>,
  sort: unknown,
  defaultSort: string,
  tieBreaker: string,
  notNullKeys: readonly string[] = [],
): string {
  const requestedSort = typeof sort === 'string' ? sort : defaultSort
  const direction = requestedSort.startsWith('-') ? 'desc' : 'asc'
  const key = requestedSort.replace(/^-/, '')
  const column = columns[key]
  if (column === undefined) throw new Error(`${requestedSort} is no key of this list`)
  if (column === tieBreaker) return `order by ${tieBreaker} ${direction}`
  return `order by ${column} ${direction}${notNullKeys.includes(key) ? '' : ' nulls last'}, ${tieBreaker} ${direction}`
}
