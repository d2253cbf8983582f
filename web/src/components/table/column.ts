import type { ReactNode } from 'react'

/**
 * One column of a {@link DataTable}. Keep the identity of the array between renders: rows are memoised by it.
 */
export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** The alignment. Numbers have 'end'. */
  align?: 'start' | 'end' | 'center'
  sortable?: boolean
  /** Pixels, or any CSS width. */
  width?: number | string
  /** Keeps the cell on one line. Numbers (align end) always are. */
  nowrap?: boolean
  /**
   * The position in the card of a row on a phone: left, right, a line of its own with its header,
   * or hidden. Default: right for align end, else left.
   */
  phone?: 'left' | 'right' | 'line' | 'hidden'
  /** Pixels. Hides the column where the table is narrower. */
  spareBelow?: 900 | 1100 | undefined
  /** The value in the totals row. */
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
  /** The keys of the selected rows, including rows of other pages. */
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  actions: readonly BulkAction[]
}

/** What the choice of columns needs to know of a column. */
export type ChoosableColumn = Pick<Column<never>, 'key' | 'header'>

/**
 * The columns whose keys `choice` lists, joined by commas, in this order. Undefined, or without a known key:
 * all columns.
 */
export function chooseColumns<C extends ChoosableColumn>(
  columns: readonly C[],
  choice: string | undefined,
): readonly C[] {
  const keys = new Set(choice?.split(','))
  const shownColumns = [...keys].flatMap((key) => columns.find((column) => column.key === key) ?? [])
  return shownColumns.length === 0 ? columns : shownColumns
}

/** {@link chooseColumns} for a table. A phone shows each column that a person chose. */
export function chooseTableColumns<Row>(
  columns: readonly Column<Row>[],
  choice: string | undefined,
): readonly Column<Row>[] {
  const shownColumns = chooseColumns(columns, choice)
  if (shownColumns === columns) return columns
  return shownColumns.map((column) => (column.phone === 'hidden' ? { ...column, phone: 'line' } : column))
}

/** The position of a column on a phone. */
export function getPhonePosition<Row>(column: Column<Row>): 'left' | 'right' | 'line' | 'hidden' {
  return column.phone ?? (column.align === 'end' ? 'right' : 'left')
}
