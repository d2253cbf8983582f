import { pageMeta } from '@karvon/contract/kit/page.ts'
import { listKeys, type Resource } from '@karvon/contract/kit/resource.ts'
import type pg from 'pg'
import { containing, listText, type Extra, type ListShape } from './crud.sql.ts'
import { pageAsked } from './paging.ts'
import { RawJson } from './raw-json.ts'

type Row = Record<string, unknown>

// Each statement stays prepared on each connection, so there is an end to them; further ones run unnamed.
const maxNamed = 300
const maxRemembered = 1000
let statements = 0

/** Drops the oldest entry of a full map. */
function remember<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  const oldest = map.size >= max && !map.has(key) ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}

/**
 * Answers a resource's list for a validated query: one prepared statement, whose JSON goes out as it came.
 * `present` looks at each row where JavaScript must (masks); lists without it are never parsed.
 */
export function lister(pool: pg.Pool, resource: Resource, extra: Extra, present?: (row: Row) => Row) {
  const keys = new Set(listKeys(resource.fields))
  const texts = new Map<string, { name?: string; text: string }>()
  // How many rows a list had last, to know beforehand which end of it is nearer.
  const lengths = new Map<string, number>()

  const statementOf = (shape: ListShape) => {
    const key = JSON.stringify(shape)
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = listText(resource, shape, extra)
    const made = statements < maxNamed ? { name: `list_${(statements += 1)}`, text } : { text }
    remember(texts, key, made, maxRemembered)
    return made
  }

  return async (query: Row): Promise<RawJson> => {
    const { offset, size } = pageAsked(query, resource.quirks.pageSize)
    const filters = Object.keys(query)
      .filter((key) => keys.has(key))
      .toSorted()
    const search = typeof query.search === 'string' ? query.search.trim() : ''
    const values: unknown[] = filters.map((key) => query[key])
    if (search !== '') values.push(containing(search))
    const which = JSON.stringify([filters, values])
    const fromEnd = offset > (lengths.get(which) ?? Infinity) / 2
    const sort = typeof query.sort === 'string' ? query.sort : '-id'
    const statement = statementOf({ sort, filters, search: search !== '', fromEnd })
    const found = await pool.query<Found>({ ...statement, values: [...values, size, offset] })
    const [row] = found.rows
    if (row === undefined) throw new Error(`The list of ${resource.noun.many} answered no row`)
    const filtered = row.filtered ?? row.total
    remember(lengths, which, filtered, maxRemembered)
    const meta = pageMeta({ offset, size, items: row.count, total: row.total, filtered })
    const items = present
      ? JSON.stringify((JSON.parse(`[${row.items}]`) as Row[]).map(present))
      : `[${row.items}]`
    return new RawJson(`{"items":${items},"meta":${JSON.stringify(meta)}}`)
  }
}

interface Found {
  items: string
  count: number
  total: number
  filtered: number | null
}
