import { buildPageMeta } from '@karvon/contract/lib/page.ts'
import { getListKeys, type Resource } from '@karvon/contract/lib/resource.ts'
import type pg from 'pg'
import {
  buildExportText,
  toLikePattern,
  buildListText,
  type ExtraColumns,
  type ListShape,
} from './crud.queries.ts'
import { ExportRows } from '../platform/exports/exports.rows.ts'
import { readPageRange } from '../platform/http/paging.ts'
import { RawJson } from '../platform/http/raw-json.ts'

type Row = Record<string, unknown>

// Each named statement stays prepared on each connection, so their number has a limit. Further ones run unnamed.
const maxNamed = 300
const maxRemembered = 1000
// The page sizes of the web app. Each has its own statement.
const commonPageSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100, 200])
let statements = 0

/** Adds an entry, and drops the oldest one of a full map. */
function remember<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  const oldest = map.size >= max && !map.has(key) ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}

/**
 * Creates the reader of a resource's list. It runs one prepared statement for a validated query and returns its JSON
 * unchanged; with `format` it returns all rows, without aliases of fields. `transformRow` changes each row in
 * JavaScript (masks); without it the JSON is not parsed.
 */
export function createListReader(
  pool: pg.Pool,
  resource: Resource,
  extra: ExtraColumns,
  transformRow?: (row: Row) => Row,
) {
  const keys = new Set(getListKeys(resource.fields))
  const entries = Object.entries(resource.fields)
  const aliases = new Set(entries.flatMap(([key, field]) => (field.aliasOf === undefined ? [] : [key])))
  const texts = new Map<string, { name?: string; text: string }>()
  // The last row count of each list. It tells from which end a page is nearer.
  const lengths = new Map<string, number>()

  const getStatement = (shape: ListShape) => {
    const key = JSON.stringify(shape)
    const cachedStatement = texts.get(key)
    if (cachedStatement !== undefined) return cachedStatement
    const text = buildListText(resource, shape, extra)
    const statement = statements < maxNamed ? { name: `list_${(statements += 1)}`, text } : { text }
    remember(texts, key, statement, maxRemembered)
    return statement
  }

  return async (query: Row): Promise<RawJson | ExportRows> => {
    const filters = Object.keys(query)
      .filter((key) => keys.has(key))
      .toSorted()
    const search = typeof query.search === 'string' ? query.search.trim() : ''
    const values: unknown[] = filters.map((key) => {
      const value = query[key]
      return key === resource.quirks.searchBy && typeof value === 'string'
        ? toLikePattern(value.trim())
        : value
    })
    if (search !== '') values.push(toLikePattern(search))
    const sort = typeof query.sort === 'string' ? query.sort : '-id'
    const shape = { sort, filters, search: search !== '' }
    if (query.format !== undefined)
      return new ExportRows(
        pool,
        { text: buildExportText(resource, shape, extra), values },
        { transformRow, omittedKeys: aliases },
      )
    const { offset, size } = readPageRange(query, resource.quirks.pageSize)
    const countKey = JSON.stringify([filters, values])

    const read = async (part: Pick<ListShape, 'fromEnd' | 'first'>, range: number[]) => {
      const result = await pool.query<ListPage>({
        ...getStatement({ ...shape, ...part }),
        values: [...values, ...range],
      })
      const [row] = result.rows
      if (row === undefined) throw new Error(`The list of ${resource.noun.many} answered no row`)
      remember(lengths, countKey, row.filtered ?? row.total, maxRemembered)
      return row
    }
    const forward = () =>
      offset === 0 && commonPageSizes.has(size)
        ? read({ fromEnd: false, first: size }, [])
        : read({ fromEnd: false }, [size, offset])

    const length = lengths.get(countKey) ?? 0
    const backward = {
      size: Math.max(0, Math.min(size, length - offset)),
      offset: Math.max(0, length - offset - size),
    }
    let row =
      offset > length / 2 && length > 0
        ? await read({ fromEnd: true }, [backward.size, backward.offset])
        : undefined
    // The page is counted from the end. When the row count has changed, the page has moved: read it again.
    if (row === undefined || (row.filtered ?? row.total) !== length) row = await forward()

    const meta = buildPageMeta({
      offset,
      size,
      items: row.count,
      total: row.total,
      filtered: row.filtered ?? row.total,
    })
    const items = transformRow
      ? JSON.stringify((JSON.parse(`[${row.items}]`) as Row[]).map(transformRow))
      : `[${row.items}]`
    return new RawJson(`{"items":${items},"meta":${JSON.stringify(meta)}}`)
  }
}

interface ListPage {
  items: string
  count: number
  total: number
  filtered: number | null
}
