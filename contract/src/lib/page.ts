import { Type, type Static, type TArray, type TObject, type TSchema } from 'typebox'
import { maxPageSize, minPageSize } from './limits.ts'
import { nullable } from './schemas.ts'

/** The bounds of `per_page` and `limit` on every list. */
export const pageSizeBounds = { min: minPageSize, max: maxPageSize } as const

/** The value in an address of a filter that has a default and that a person removed. */
export const anyValue = 'any'

/**
 * The page numbers to show: all of them up to five, otherwise the first, the last and a window around the
 * current page. `'gap'` means an ellipsis.
 */
export function getPageWindow(currentPage: number, lastPage: number): (number | 'gap')[] {
  if (lastPage <= 5) return Array.from({ length: Math.max(lastPage, 1) }, (_, i) => i + 1)
  const middlePage = Math.min(Math.max(currentPage, 2), lastPage - 1)
  const candidates = [1, middlePage - 1, middlePage, middlePage + 1, lastPage].filter(
    (page) => page >= 1 && page <= lastPage,
  )
  const pages = [...new Set(candidates)]
  return pages.flatMap((page, i) => {
    const previousPage = pages[i - 1]
    return previousPage === undefined || page - previousPage === 1 ? [page] : ['gap' as const, page]
  })
}

export const PageMeta = Type.Object({
  current_page: Type.Integer(),
  last_page: Type.Integer(),
  items_on_page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer({ description: 'The number of rows that you may see, without filters' }),
  total_items: Type.Integer({ description: 'Equal to total' }),
  filtered_total: Type.Integer({ description: 'The number of rows that match the filters' }),
  has_next: Type.Boolean(),
  has_previous: Type.Boolean(),
  next_page: nullable(Type.Integer()),
  prev_page: nullable(Type.Integer()),
  page_range: Type.Array(Type.Integer(), { maxItems: 5, description: 'The page numbers to show' }),
})
export type PageMeta = Static<typeof PageMeta>

/** The answer of a list. */
export type Page<Row> = { items: Row[]; meta: PageMeta }

type PageSchema<Row extends TSchema> = TObject<{ items: TArray<Row>; meta: TObject }>

/** The schema of a list of `row`. `extraMeta` adds properties to meta, such as the totals of a report. */
export function pageSchema<Row extends TSchema>(
  row: Row,
  extraMeta: Record<string, TSchema> = {},
): PageSchema<Row> {
  return Type.Object({
    items: Type.Array(row, { maxItems: maxPageSize }),
    meta: Type.Object({ ...PageMeta.properties, ...extraMeta }),
  })
}

/**
 * The meta of one page of a list. `offset` and `size` count rows. `total` and `filtered` are as in {@link
 * PageMeta}. An offset that is not a multiple of the size is on page floor(offset / size) + 1.
 */
export function buildPageMeta(position: {
  offset: number
  size: number
  items: number
  total: number
  filtered: number
}): PageMeta {
  const current = Math.floor(position.offset / position.size) + 1
  const lastPage = Math.max(1, Math.ceil(position.filtered / position.size))
  const next = current < lastPage ? current + 1 : null
  const previous = current > 1 ? Math.min(current - 1, lastPage) : null
  return {
    current_page: current,
    last_page: lastPage,
    items_on_page: position.items,
    per_page: position.size,
    total: position.total,
    total_items: position.total,
    filtered_total: position.filtered,
    has_next: next !== null,
    has_previous: previous !== null,
    next_page: next,
    prev_page: previous,
    page_range: getPageWindow(current, lastPage).filter((page) => page !== 'gap'),
  }
}
