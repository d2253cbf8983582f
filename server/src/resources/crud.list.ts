import { pageMeta } from '@karvon/contract/lib/page.ts'
import { listKeys, type Resource } from '@karvon/contract/lib/resource.ts'
import type pg from 'pg'
import { allText, containing, listText, type Extra, type ListShape } from './crud.queries.ts'
import { AllRows } from '../platform/exports/exports.rows.ts'
import { pageAsked } from '../platform/http/paging.ts'
import { RawJson } from '../platform/http/raw-json.ts'

type Row = Record<string, unknown>

// Each statement stays prepared on each connection, so there is an end to them; further ones run unnamed.
const maxNamed = 300
const maxRemembered = 1000
// What the screens ask for; each has a statement of its own.
const usualSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100, 200])
let statements = 0

/** Drops the oldest entry of a full map. */
function remember<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  const oldest = map.size >= max && !map.has(key) ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}

/**
 * Answers a resource's list for a validated query: one prepared statement, whose JSON goes out as it came; with
 * `format` all its rows, without what repeats a field under another spelling.
 * `present` looks at each row where JavaScript must (masks); lists without it are never parsed.
 */
export function lister(pool: pg.Pool, resource: Resource, extra: Extra, present?: (row: Row) => Row) {
  const keys = new Set(listKeys(resource.fields))
  const entries = Object.entries(resource.fields)
  const aliases = new Set(entries.flatMap(([key, field]) => (field.of === undefined ? [] : [key])))
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

  return async (query: Row): Promise<RawJson | AllRows> => {
    const filters = Object.keys(query)
      .filter((key) => keys.has(key))
      .toSorted()
    const search = typeof query.search === 'string' ? query.search.trim() : ''
    const values: unknown[] = filters.map((key) => {
      const value = query[key]
      return key === resource.quirks.searchBy && typeof value === 'string' ? containing(value.trim()) : value
    })
    if (search !== '') values.push(containing(search))
    const sort = typeof query.sort === 'string' ? query.sort : '-id'
    const shape = { sort, filters, search: search !== '' }
    if (query.format !== undefined)
      return new AllRows(pool, { text: allText(resource, shape, extra), values }, { present, leave: aliases })
    const { offset, size } = pageAsked(query, resource.quirks.pageSize)
    const which = JSON.stringify([filters, values])

    const read = async (part: Pick<ListShape, 'fromEnd' | 'first'>, span: number[]) => {
      const found = await pool.query<Found>({
        ...statementOf({ ...shape, ...part }),
        values: [...values, ...span],
      })
      const [row] = found.rows
      if (row === undefined) throw new Error(`The list of ${resource.noun.many} answered no row`)
      remember(lengths, which, row.filtered ?? row.total, maxRemembered)
      return row
    }
    const forward = () =>
      offset === 0 && usualSizes.has(size)
        ? read({ fromEnd: false, first: size }, [])
        : read({ fromEnd: false }, [size, offset])

    const length = lengths.get(which) ?? 0
    const backward = {
      size: Math.max(0, Math.min(size, length - offset)),
      offset: Math.max(0, length - offset - size),
    }
    let row =
      offset > length / 2 && length > 0
        ? await read({ fromEnd: true }, [backward.size, backward.offset])
        : undefined
    // Counted from the far end, a row more or less there shifts the page.
    if (row === undefined || (row.filtered ?? row.total) !== length) row = await forward()

    const meta = pageMeta({
      offset,
      size,
      items: row.count,
      total: row.total,
      filtered: row.filtered ?? row.total,
    })
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
