import { type ReactNode, useEffect, useRef, useState } from 'react'
import { EmptyState, ErrorState, type Failure } from '../display/empty-state.tsx'
import type { Column, Selection, Sort } from './column.ts'
import { DataRow, SkeletonRows } from './data-row.tsx'
import classes from './data-table.module.css'
import { useOverflow } from './overflow.hook.ts'
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
  const { columns, rows, rowKey, selection, onRowClick, loading = false, lines = 1 } = props
  const errorState = props.error && (
    <ErrorState failure={props.error} onRetry={props.onRetry} isStale={rows && true} />
  )
  const failure = rows === undefined && !loading && errorState
  const keys = (rows ?? []).map(rowKey)
  const [focusedKey, setFocusedKey] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  useOverflow(box)
  const tabbable = focusedKey !== null && keys.includes(focusedKey) ? focusedKey : keys[0]

  const body = useRef<HTMLTableSectionElement>(null)
  const isFocusedRowGone = focusedKey !== null && rows !== undefined && !keys.includes(focusedKey)
  useEffect(() => {
    // The focused row was deleted. The focus moves to the next row.
    if (!isFocusedRowGone || document.activeElement !== document.body) return
    body.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true })
  }, [isFocusedRowGone])

  const isWaiting = rows === undefined && loading
  const isEmpty = !loading && rows !== undefined && rows.length === 0
  const hasTotals =
    columns.some((column) => column.total !== undefined) && rows !== undefined && rows.length > 0
  const sorting = { columns, sort: props.sort, onSort: props.onSort }
  const span = columns.length + (selection ? 1 : 0)

  const findRow = (target: EventTarget) => {
    const key = target instanceof Element ? target.closest('tr')?.dataset.key : undefined
    return key === undefined ? undefined : rows?.find((row) => rowKey(row) === key)
  }

  const onClick = (event: React.MouseEvent) => {
    const { target } = event
    if (!onRowClick || !(target instanceof Element)) return
    const control = target.closest('a,button,input,select,textarea,label')
    if (control && !control.hasAttribute('data-opens')) return
    // Selecting text to copy it must not open the row.
    if (window.getSelection()?.type === 'Range') return
    const row = findRow(target)
    if (row !== undefined) onRowClick(row)
  }

  const onChange = (event: React.FormEvent) => {
    const row = findRow(event.target)
    if (row === undefined || !selection || !(event.target instanceof HTMLElement)) return
    if (!event.target.closest('[data-select]')) return
    const next = new Set(selection.selected)
    if (!next.delete(rowKey(row))) next.add(rowKey(row))
    selection.onChange(next)
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof HTMLTableRowElement)) return
    const row = findRow(target)
    if (row === undefined) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onRowClick?.(row)
      return
    }
    const targets: Record<string, Element | null | undefined> = {
      ArrowDown: target.nextElementSibling,
      ArrowUp: target.previousElementSibling,
      Home: target.parentElement?.firstElementChild,
      End: target.parentElement?.lastElementChild,
    }
    const next = targets[event.key]
    if (!(next instanceof HTMLElement)) return
    event.preventDefault()
    next.focus()
  }

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
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens for its rows */}
            <tbody
              ref={body}
              role="rowgroup"
              onClick={onClick}
              onChange={onChange}
              onKeyDown={onKeyDown}
              onFocus={(event) => setFocusedKey((event.target.closest('tr')?.dataset.key ?? null) || null)}
            >
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
                      selectable={selection !== undefined}
                      selected={selection?.selected.has(key) ?? false}
                      clickable={onRowClick !== undefined}
                      active={key === props.activeKey}
                      tabbable={key === tabbable}
                    />
                  )
                })}
              {isWaiting && (
                <SkeletonRows
                  columns={columns}
                  count={props.skeletonRows ?? 10}
                  selectable={selection !== undefined}
                />
              )}
              {(isEmpty || failure) && (
                <tr role="row" data-message="">
                  <td role="cell" colSpan={span}>
                    {failure || <EmptyState text={props.emptyText} />}
                  </td>
                </tr>
              )}
            </tbody>
            {hasTotals && <Totals columns={columns} selectable={selection !== undefined} />}
          </table>
        </div>
      </div>
      {rows && errorState}
      {props.footer}
    </div>
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
