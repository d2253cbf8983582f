import { useEffect, useRef } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { IconButton } from '../../components/actions/icon-button.tsx'
import { ChevronDownIcon, ChevronUpIcon } from '../../components/actions/icons.tsx'
import { Checkbox } from '../../components/fields/checkbox.tsx'
import { chooseColumns, type ChoosableColumn } from '../../components/table/column.ts'
import type { TableControl } from '../../lib/table-state.ts'
import { getPanelTexts } from './panel-texts.ts'
import classes from './list-tools.module.css'

type ColumnsPanelProps = {
  table: TableControl
  columns: readonly ChoosableColumn[]
  isRussian: boolean
}

/** Shows, hides and orders the columns of a list. The choice is in the address. */
export function ColumnsPanel({ table, columns, isRussian }: ColumnsPanelProps) {
  const texts = getPanelTexts(isRussian)
  const { state, change } = table
  const shownColumns = chooseColumns(columns, state.columns)
  const hiddenColumns = columns.filter((column) => !shownColumns.includes(column))
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector('input')?.focus(), [])
  // A moved row is inserted again into the document, so its button loses the focus.
  const focusedKey = useRef<string | null>(null)
  useEffect(() => {
    if (focusedKey.current === null) return
    panel.current?.querySelector<HTMLElement>(`[data-control="${CSS.escape(focusedKey.current)}"]`)?.focus()
    focusedKey.current = null
  })

  const choose = (next: readonly ChoosableColumn[], control?: string) => {
    focusedKey.current = control ?? null
    const isDeclared = next.length === columns.length && next.every((column, at) => column === columns[at])
    change({ columns: isDeclared ? '' : next.map(({ key }) => key).join(','), page: state.page })
  }
  return (
    <div ref={panel} className={classes.panel}>
      <ul>
        {[...shownColumns, ...hiddenColumns].map((column) => {
          const at = shownColumns.indexOf(column)
          const otherShownColumns = shownColumns.filter((shownColumn) => shownColumn !== column)
          return (
            <li key={column.key} className={classes.row}>
              <Checkbox
                label={column.header}
                checked={at !== -1}
                disabled={shownColumns.length === 1 && at === 0}
                onChange={(isShown) => choose(isShown ? [...shownColumns, column] : otherShownColumns)}
              />
              {at !== -1 && (
                <MoveButtons
                  column={column}
                  isFirst={at === 0}
                  isLast={at === shownColumns.length - 1}
                  texts={texts}
                  onMove={(step) =>
                    choose(otherShownColumns.toSpliced(at + step, 0, column), getControl(column, step))
                  }
                />
              )}
            </li>
          )
        })}
      </ul>
      <Button tone="ghost" onClick={() => choose(columns)}>
        {texts.allColumns}
      </Button>
      <p>{texts.exportNote}</p>
    </div>
  )
}

/** The name of a button that moves a column, by which it gets the focus again. */
const getControl = (column: ChoosableColumn, step: -1 | 1) => `${column.key} ${step}`

type MoveButtonsProps = {
  column: ChoosableColumn
  isFirst: boolean
  isLast: boolean
  texts: ReturnType<typeof getPanelTexts>
  onMove: (step: -1 | 1) => void
}

function MoveButtons({ column, isFirst, isLast, texts, onMove }: MoveButtonsProps) {
  return (
    <>
      <IconButton
        label={texts.up({ column: column.header })}
        data-control={getControl(column, -1)}
        aria-disabled={isFirst}
        onClick={() => !isFirst && onMove(-1)}
      >
        <ChevronUpIcon size={16} />
      </IconButton>
      <IconButton
        label={texts.down({ column: column.header })}
        data-control={getControl(column, 1)}
        aria-disabled={isLast}
        onClick={() => !isLast && onMove(1)}
      >
        <ChevronDownIcon size={16} />
      </IconButton>
    </>
  )
}
