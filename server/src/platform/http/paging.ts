import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxOffset } from '@karvon/contract/lib/limits.ts'
import { invalid } from './errors.ts'

/** The paging parameters of a list; already validated by its schema. */
export interface PageQuery {
  page?: number | undefined
  per_page?: number | undefined
  limit?: number | undefined
  skip?: number | undefined
}

/** `offset`: rows to skip. `size`: rows to return. */
export interface PageRange {
  offset: number
  size: number
}

/**
 * Reads the range of rows from `page` and `per_page` (or `limit`), or from `skip` and `limit`. `skip` takes precedence
 * over `page`. Errors: 422 for an offset above `maxOffset`.
 */
export function readPageRange(query: PageQuery, defaultSize = 10): PageRange {
  const size = query.per_page ?? query.limit ?? defaultSize
  const offset = query.skip ?? ((query.page ?? 1) - 1) * size
  if (offset > maxOffset)
    throw invalid([fieldError('page', 'page_too_deep', { label: 'page', max: maxOffset })])
  return { offset, size }
}
