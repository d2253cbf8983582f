import type { ReactNode } from 'react'

/** One column of a {@link DataTable}. Keep the array's identity between renders: rows are memoised by it. */
export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers at the end, right-aligned. */
  align?: 'start' | 'end' | 'center'
  sortable?: boolean
  /** Pixels, or any CSS width. */
  width?: number | string
  /** Keeps the cell on one line; numbers (align end) always are. */
  nowrap?: boolean
  /**
   * Where it stands in the card that a row becomes on a phone: at the left, at the right, on a line of its
   * own with its header, or nowhere. Default: right for align end, else left.
   */
  phone?: 'left' | 'right' | 'line' | 'hidden'
  /** What stands below the column in the totals row. */
  total?: ReactNode
}

export type Sort = { key: string; descending: boolean }

export type BulkAction = {
  label: string
  onRun: (keys: string[]) => void
  danger?: boolean
  disabled?: boolean
}

export type Selection = {
  /** Keys of the selected rows; those of other pages count too. */
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  actions: readonly BulkAction[]
}

/** Where a column stands on a phone. */
export function phonePlace<Row>(column: Column<Row>): 'left' | 'right' | 'line' | 'hidden' {
  return column.phone ?? (column.align === 'end' ? 'right' : 'left')
}
