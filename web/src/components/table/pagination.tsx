import { getPageWindow } from '@karvon/contract/lib/page.ts'
import { ChevronLeftIcon, ChevronRightIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './pagination.module.css'

/** The page sizes that a person can choose (specification, section 9). */
const pageSizes = [10, 25, 50, 100, 200] as const

export type PaginationProps = {
  /** Counts from 1. */
  page: number
  pageSize: number
  /** The number of rows on this page. */
  shown: number
  /** The number of all rows, without filters. */
  total: number
  /** The number of rows that match the filters. The text names both when it differs from `total`. */
  filteredTotal?: number | undefined
  onPage: (page: number) => void
  /** Called when the pointer or the focus is on the button of the next page. */
  onNextNear?: (() => void) | undefined
  onPageSize: (size: number) => void
}

/**
 * The number of shown rows, the page size and the pages. A button that leads nowhere is not `disabled`, because the browser
 * takes the focus from a disabled button.
 */
export function Pagination(props: PaginationProps) {
  const { page, pageSize, shown, total, filteredTotal = total, onPage, onNextNear, onPageSize } = props
  const texts = useUiTexts()
  const lastPage = Math.max(1, Math.ceil(filteredTotal / pageSize))
  const sizes = [...new Set([...pageSizes, pageSize])].toSorted((a, b) => a - b)
  return (
    <div className={classes.foot}>
      <p role="status" className={classes.text}>
        {filteredTotal === total
          ? texts.shown({ shown, total })
          : texts.shownFiltered({ shown, filtered: filteredTotal, total })}
      </p>
      <select
        aria-label={texts.pageSize}
        className={classes.size}
        value={pageSize}
        onChange={(event) => onPageSize(Number(event.currentTarget.value))}
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {texts.perPage({ size })}
          </option>
        ))}
      </select>
      <nav aria-label={texts.pages} className={classes.pages}>
        <button
          type="button"
          aria-label={texts.previousPage}
          aria-disabled={page <= 1}
          onClick={() => {
            if (page > 1) onPage(Math.min(page - 1, lastPage))
          }}
        >
          <ChevronLeftIcon size={17} />
        </button>
        {getPageWindow(page, lastPage).map((entry, index) =>
          entry === 'gap' ? (
            <span key={`gap${index}`} className={classes.gap}>
              …
            </span>
          ) : (
            <button
              key={entry}
              type="button"
              aria-label={texts.page({ page: entry })}
              aria-current={entry === page ? 'page' : undefined}
              onClick={() => {
                if (entry !== page) onPage(entry)
              }}
            >
              {entry}
            </button>
          ),
        )}
        <button
          type="button"
          aria-label={texts.nextPage}
          aria-disabled={page >= lastPage}
          onPointerEnter={page < lastPage ? onNextNear : undefined}
          onFocus={page < lastPage ? onNextNear : undefined}
          onClick={() => {
            if (page < lastPage) onPage(page + 1)
          }}
        >
          <ChevronRightIcon size={17} />
        </button>
      </nav>
    </div>
  )
}
