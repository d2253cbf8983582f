import { maxOffset } from '@karvon/contract/lib/limits.ts'
import { invalid } from './errors.ts'

/** What a list's query says of paging; already validated by its schema. */
export interface PageQuery {
  page?: number | undefined
  per_page?: number | undefined
  limit?: number | undefined
  skip?: number | undefined
}

/** Rows to leave out and rows to answer. */
export interface Asked {
  offset: number
  size: number
}

/** A page, or for an export all rows. */
export type Span = Asked | 'all'

/**
 * The rows that a list is asked for, in either style: page and per_page (or limit), skip and limit.
 * `skip` wins over `page`. Errors: 422 where the page lies deeper than a list reads.
 */
export function pageAsked(query: PageQuery, defaultSize = 10): Asked {
  const size = query.per_page ?? query.limit ?? defaultSize
  const offset = query.skip ?? ((query.page ?? 1) - 1) * size
  if (offset > maxOffset) throw invalid([{ field: 'page', message: `page lies past row ${maxOffset}` }])
  return { offset, size }
}
