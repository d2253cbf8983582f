import { memo } from 'react'
import { Skeleton } from '../display/skeleton.tsx'
import { useUiTexts } from '../texts.ts'
import { type Column, getPhonePosition } from './column.ts'
import classes from './data-table.module.css'

type DataRowProps<Row> = {
  row: Row
  rowKey: string
  label: string
  columns: readonly Column<Row>[]
  selectable: boolean
  selected: boolean
  clickable: boolean
  /** Whether its detail is open. */
  active: boolean
  /** Whether Tab reaches this row. Arrows move on from it. One row of a table is tabbable. */
  tabbable: boolean
}

// The body of the table listens for all rows, so that a row has no closures and its memo holds.
const ignoreChange = () => undefined

function PlainDataRow<Row>(props: DataRowProps<Row>) {
  const { row, rowKey, label, columns, selectable, selected, clickable, active, tabbable } = props
  const texts = useUiTexts()
  return (
    <tr
      role="row"
      data-key={rowKey}
      data-clickable={clickable || undefined}
      data-active={active || undefined}
      aria-current={active || undefined}
      aria-selected={selectable ? selected : undefined}
      tabIndex={clickable ? (tabbable ? 0 : -1) : undefined}
    >
      {selectable && (
        <td role="cell" className={classes.check}>
          <input
            data-select
            type="checkbox"
            checked={selected}
            onChange={ignoreChange}
            aria-label={texts.selectRow({ label })}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.key}
          role="cell"
          data-align={column.align}
          data-nowrap={column.nowrap || undefined}
          data-phone={getPhonePosition(column)}
          data-spare={column.spareBelow}
          data-label={column.phone === 'line' ? column.header : undefined}
        >
          {column.cell(row)}
          {clickable && index === 0 && (
            <button
              type="button"
              tabIndex={-1}
              data-opens
              className="visually-hidden"
              aria-label={texts.openRow({ label })}
            />
          )}
        </td>
      ))}
    </tr>
  )
}

/** One row of native cells. It is drawn again only when its own row, columns or state change. */
export const DataRow = memo(PlainDataRow) as typeof PlainDataRow

/** Skeleton rows with the height of real rows. */
export function SkeletonRows<Row>(props: {
  columns: readonly Column<Row>[]
  count: number
  selectable: boolean
}) {
  return Array.from({ length: props.count }, (_, row) => (
    <tr key={row} role="row" data-skeleton="">
      {props.selectable && <td role="cell" className={classes.check} />}
      {props.columns.map((column, index) => (
        <td
          key={column.key}
          role="cell"
          data-align={column.align}
          data-phone={getPhonePosition(column)}
          data-spare={column.spareBelow}
        >
          <Skeleton width={`${46 + ((row * 7 + index * 13) % 40)}%`} />
        </td>
      ))}
    </tr>
  ))
}
