import { type ReactNode, useRef } from 'react'
import { EmptyState, ErrorState, type Failure } from '../display/empty-state.tsx'
import type { Column, Selection, Sort } from './column.ts'
import { DataRow, SkeletonRows } from './data-row.tsx'
import classes from './data-table.module.css'
import { useOverflow } from './overflow.hook.ts'
import { createRowEvents } from './row-events.ts'
import { useRowFocus } from './row-focus.hook.ts'
import { BulkBar, PhoneSort, SelectAll, TableHead } from './table-head.tsx'

export type DataTableProps<Row> = {
  /** The name of the table. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined before the first answer. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** The name of a row in 'Select {label}' and 'Open {label}'. Default: its key. */
  rowLabel?: (row: Row) => string
  sort?: Sort | null
  onSort?: (sort: Sort | null) => void
  /** Called for a press, Enter or Space on a row. */
  onRowClick?: (row: Row) => void
  /** The row whose detail is open. */
  activeKey?: string | null
  selection?: Selection
  /** Shows skeleton rows before the first answer. Afterwards the old rows stay, with a progress bar. */
  loading?: boolean
  /** The number of expected rows: the page size. */
  skeletonRows?: number
  /** The lines in a cell, for the height of rows and skeletons. */
  lines?: 1 | 2
  /** The failure of the last load. Rows of an earlier load stay, with a notice that they may be out of date. */
  error?: Failure | null
  onRetry?: () => void
  /** Default 'No data found.' */
  emptyText?: string
  /** Shown below the table, in its card: the pagination. */
  footer?: ReactNode
  /** Keeps the table on phones. A table that does not fit scrolls sideways. */
  scrollX?: boolean
}

/**
 * A table of at most 200 rows. Arrow keys, Home and End move between rows; Enter opens one. Rows are memoised native
 * cells, drawn in one layout: in steps, each step lays out the whole table again.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, selection, loading = false, lines = 1 } = props
  const keys = (rows ?? []).map(rowKey)
  const box = useRef<HTMLDivElement>(null)
  useOverflow(box)
  const failure = props.error && (
    <ErrorState failure={props.error} onRetry={props.onRetry} isStale={rows && true} />
  )
  const hasTotals = keys.length > 0 && columns.some((column) => column.total !== undefined)
  const sorting = { columns, sort: props.sort, onSort: props.onSort }

  return (
    <div className={classes.card} data-list="" data-lines={lines} data-wide={props.scrollX || undefined}>
      <div className={classes.progress} data-on={(loading && rows !== undefined) || undefined} />
      <div className={classes.body}>
        {(selection !== undefined || (props.onSort && columns.some((column) => column.sortable))) && (
          <div className={classes.strip}>
            {selection && <SelectAll keys={keys} selection={selection} />}
            <PhoneSort {...sorting} />
          </div>
        )}
        {selection && <BulkBar selection={selection} />}
        <div ref={box} className={classes.scroll}>
          <table
            role="table"
            aria-label={props.label}
            aria-busy={loading || undefined}
            className={classes.table}
          >
            <TableHead {...sorting} keys={keys} selection={selection} />
            <TableBody {...props} keys={keys} failure={failure} />
            {hasTotals && <Totals columns={columns} selectable={selection !== undefined} />}
          </table>
        </div>
      </div>
      {rows && failure}
      {props.footer}
    </div>
  )
}

type TableBodyProps<Row> = DataTableProps<Row> & {
  /** The keys of the rows, in their order. */
  keys: readonly string[]
  failure: ReactNode
}

/** The rows of a table. In their place: skeletons while they load, the failure, or that there are none. */
function TableBody<Row>(props: TableBodyProps<Row>) {
  const { columns, rows, keys, selection, loading } = props
  const { tabbableKey, ...focus } = useRowFocus({
    keys,
    isLoaded: rows !== undefined,
    isLoading: loading ?? false,
  })
  const selectable = selection !== undefined
  const isEmpty = !loading && rows?.length === 0
  const failure = rows === undefined && !loading && props.failure
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens for its rows
    <tbody role="rowgroup" {...createRowEvents(props)} {...focus}>
      {!isEmpty &&
        rows?.map((row, index) => {
          const key = keys[index] ?? ''
          return (
            <DataRow
              key={key}
              row={row}
              rowKey={key}
              label={props.rowLabel?.(row) ?? key}
              columns={columns}
              selectable={selectable}
              selected={selection?.selected.has(key) ?? false}
              clickable={props.onRowClick !== undefined}
              active={key === props.activeKey}
              tabbable={key === tabbableKey}
            />
          )
        })}
      {rows === undefined && loading && (
        <SkeletonRows columns={columns} count={props.skeletonRows ?? 10} selectable={selectable} />
      )}
      {(isEmpty || failure) && (
        <tr role="row" data-message="">
          <td role="cell" colSpan={columns.length + (selectable ? 1 : 0)}>
            {failure || <EmptyState text={props.emptyText} />}
          </td>
        </tr>
      )}
    </tbody>
  )
}

function Totals<Row>({ columns, selectable }: { columns: readonly Column<Row>[]; selectable: boolean }) {
  return (
    <tfoot role="rowgroup">
      <tr role="row">
        {selectable && <td role="cell" className={classes.check} />}
        {columns.map((column) => (
          <td
            key={column.key}
            role="cell"
            data-align={column.align}
            data-phone={column.total === undefined ? 'hidden' : 'line'}
            data-spare={column.spareBelow}
            data-label={column.header}
          >
            {column.total}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}
