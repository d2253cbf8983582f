import { HttpError } from './http.ts'
import { describeHttpFailure } from './http.texts.ts'
import { isRecord } from './is-record.ts'

/** A page of rows in one shape, however the host spells it. */
export interface ListResult<Row> {
  readonly items: readonly Row[]
  /** The number of all rows, without filters. */
  readonly total: number
  /** The number of rows that match the filters. */
  readonly filtered: number
  /** The meta of the answer, for additions of single lists. */
  readonly meta: Readonly<Record<string, unknown>>
}

/** The requested page, from 1, and its number of rows. */
export interface PageRequest {
  readonly page: number
  readonly size: number
}

/**
 * Reads `{items, meta}`, `{items, total_items}` or a bare array. Where a host answers all rows, `page`
 * selects the requested ones. Throws for any other shape: an empty page would hide a wrong address.
 */
export function readList<Row>(response: unknown, page?: PageRequest): ListResult<Row> {
  if (Array.isArray(response)) return toListResult(response, {}, page)
  if (!isRecord(response) || !Array.isArray(response.items))
    throw new HttpError(describeHttpFailure('unexpected'))
  const pageToCut = page && response.items.length > page.size ? page : undefined
  return toListResult(response.items, isRecord(response.meta) ? response.meta : response, pageToCut)
}

const readCount = (value: unknown) => (typeof value === 'number' ? value : undefined)

/**
 * Builds the result. `page` selects rows of `values`; without it `values` is the page. Entries that are not objects
 * are dropped.
 */
function toListResult<Row>(
  values: readonly unknown[],
  meta: Readonly<Record<string, unknown>>,
  page: PageRequest | undefined,
): ListResult<Row> {
  const rows = values.filter(isRecord) as Row[]
  const total = readCount(meta.total) ?? readCount(meta.total_items) ?? rows.length
  const items = page ? rows.slice((page.page - 1) * page.size, page.page * page.size) : rows
  return { items, total, filtered: readCount(meta.filtered_total) ?? total, meta }
}

/** The answer of a single get as a list, for {@link readList}. Some hosts answer a list by themselves. */
export const toListResponse = (response: unknown): unknown =>
  Array.isArray(response) || (isRecord(response) && Array.isArray(response.items)) ? response : [response]
