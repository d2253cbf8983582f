import { useEffect, useRef } from 'react'
import { Button } from '../actions/button.tsx'
import { ChevronDownIcon, ChevronUpIcon, SortIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { getPhonePosition, type Column, type Selection, type Sort } from './column.ts'
import classes from './data-table.module.css'

type SelectAllProps = { keys: readonly string[]; selection: Selection }

/** Selects all rows of the page. Indeterminate while only some are selected. */
export function SelectAll({ keys, selection }: SelectAllProps) {
  const texts = useUiTexts()
  const input = useRef<HTMLInputElement>(null)
  const selectedCount = keys.filter((key) => selection.selected.has(key)).length
  const isAllSelected = selectedCount > 0 && selectedCount === keys.length
  const isIndeterminate = selectedCount > 0 && !isAllSelected
  useEffect(() => {
    if (input.current) input.current.indeterminate = isIndeterminate
  }, [isIndeterminate])
  return (
    <input
      ref={input}
      type="checkbox"
      aria-label={texts.selectAll}
      checked={isAllSelected}
      disabled={keys.length === 0}
      onChange={() => {
        const next = new Set(selection.selected)
        for (const key of keys) {
          if (isAllSelected) next.delete(key)
          else next.add(key)
        }
        selection.onChange(next)
      }}
    />
  )
}

/** The bar of bulk actions. It covers the header row, so that nothing moves. On phones it is at the bottom. */
export function BulkBar({ selection }: { selection: Selection }) {
  const texts = useUiTexts()
  const count = selection.selected.size
  return (
    <div className={classes.bulk} data-shown={count > 0 || undefined}>
      {count > 0 && (
        <>
          <span role="status">{texts.selected({ count })}</span>
          {selection.actions.map((action) => (
            <Button
              key={action.label}
              tone={action.danger ? 'danger' : 'plain'}
              disabled={action.disabled}
              onClick={() => action.onRun([...selection.selected])}
            >
              {action.label}
            </Button>
          ))}
          <Button tone="ghost" onClick={() => selection.onChange(new Set())}>
            {texts.clear}
          </Button>
        </>
      )}
    </div>
  )
}

type SortProps<Row> = {
  columns: readonly Column<Row>[]
  sort: Sort | null | undefined
  onSort: ((sort: Sort | null) => void) | undefined
}

/** The choice of a sort on phones, where the header row is hidden. */
export function PhoneSort<Row>({ columns, sort, onSort }: SortProps<Row>) {
  const texts = useUiTexts()
  const sortable = columns.filter((column) => column.sortable)
  if (sortable.length === 0 || !onSort) return null
  return (
    <select
      aria-label={texts.sortBy}
      value={sort ? (sort.descending ? `-${sort.key}` : sort.key) : ''}
      onChange={(event) => {
        const choice = event.currentTarget.value
        onSort(choice === '' ? null : { key: choice.replace(/^-/, ''), descending: choice.startsWith('-') })
      }}
    >
      <option value="">{texts.notSorted}</option>
      {sortable.flatMap((column) => [
        <option key={column.key} value={column.key}>{`${column.header} ↑`}</option>,
        <option key={`-${column.key}`} value={`-${column.key}`}>{`${column.header} ↓`}</option>,
      ])}
    </select>
  )
}

type TableHeadProps<Row> = SortProps<Row> & { keys: readonly string[]; selection: Selection | undefined }

export function TableHead<Row>({ columns, sort, onSort, keys, selection }: TableHeadProps<Row>) {
  const isCovered = selection !== undefined && selection.selected.size > 0
  return (
    <thead role="rowgroup">
      <tr role="row">
        {selection && (
          <th role="columnheader" scope="col" className={classes.check}>
            <SelectAll keys={keys} selection={selection} />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.key}
            role="columnheader"
            scope="col"
            inert={isCovered}
            data-align={column.align}
            data-phone={getPhonePosition(column)}
            data-spare={column.spareBelow}
            style={column.width === undefined ? undefined : { width: column.width }}
            aria-sort={getAriaSort(column, sort, onSort !== undefined)}
          >
            {column.sortable && onSort ? (
              <SortButton column={column} sort={sort} onSort={onSort} />
            ) : (
              column.header
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function getAriaSort<Row>(column: Column<Row>, sort: Sort | null | undefined, isSortable: boolean) {
  if (!column.sortable || !isSortable) return undefined
  if (sort?.key !== column.key) return 'none'
  return sort.descending ? 'descending' : 'ascending'
}

function SortButton<Row>(props: {
  column: Column<Row>
  sort: Sort | null | undefined
  onSort: (sort: Sort) => void
}) {
  const { column, sort, onSort } = props
  const isActive = sort?.key === column.key
  const Mark = isActive ? (sort.descending ? ChevronDownIcon : ChevronUpIcon) : SortIcon
  return (
    <button
      type="button"
      className={classes.sort}
      data-on={isActive || undefined}
      onClick={() => onSort({ key: column.key, descending: isActive && !sort.descending })}
    >
      {column.header}
      <Mark size={13} />
    </button>
  )
}
