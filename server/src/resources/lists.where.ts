/** The conditions of a hand-written list: SQL whose `?` stand for parameters, numbered as they are added. */
export class Where {
  readonly values: unknown[] = []
  readonly #conditions: string[] = []

  /** Adds `condition`, a `?` for each of `values`; nothing where a value is undefined. */
  and(condition: string, ...values: unknown[]): this {
    if (values.includes(undefined)) return this
    const pieces = condition.split('?')
    if (pieces.length !== values.length + 1) throw new Error(`${condition} takes ${pieces.length - 1} values`)
    this.#conditions.push(
      pieces.map((piece, i) => (i === 0 ? piece : `${this.value(values[i - 1])}${piece}`)).join(''),
    )
    return this
  }

  /** A parameter's place, for what stands outside the conditions. */
  value(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  get any(): boolean {
    return this.#conditions.length > 0
  }

  toString(): string {
    return this.#conditions.length === 0 ? 'true' : this.#conditions.join(' and ')
  }
}

/**
 * `order by` of a list whose sort is already checked against its keys: `sort` or else `usual`, a leading -
 * for descending, nulls last; equal values stand by `tie`, so that no row shows on two pages. Keys of columns that
 * are `known` in every row are read from a plain index, without a word on nulls.
 */
export function orderBy(
  columns: Readonly<Record<string, string>>,
  sort: unknown,
  usual: string,
  tie: string,
  known: readonly string[] = [],
): string {
  const asked = typeof sort === 'string' ? sort : usual
  const way = asked.startsWith('-') ? 'desc' : 'asc'
  const key = asked.replace(/^-/, '')
  const column = columns[key]
  if (column === undefined) throw new Error(`${asked} is no key of this list`)
  if (column === tie) return `order by ${tie} ${way}`
  return `order by ${column} ${way}${known.includes(key) ? '' : ' nulls last'}, ${tie} ${way}`
}
