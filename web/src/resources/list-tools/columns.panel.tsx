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
  const shown = chooseColumns(columns, state.columns)
  const hidden = columns.filter((column) => !shown.includes(column))
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector('input')?.focus(), [])
  // A moved row is placed anew in the document, which takes the focus from its button.
  const focused = useRef<string | null>(null)
  useEffect(() => {
    if (focused.current === null) return
    panel.current?.querySelector<HTMLElement>(`[data-control="${CSS.escape(focused.current)}"]`)?.focus()
    focused.current = null
  })

  const choose = (next: readonly ChoosableColumn[], control?: string) => {
    focused.current = control ?? null
    const isDeclared = next.length === columns.length && next.every((column, at) => column === columns[at])
    change({ columns: isDeclared ? '' : next.map(({ key }) => key).join(','), page: state.page })
  }
  const move = (at: number, step: -1 | 1) => {
    const column = shown[at]
    const other = shown[at + step]
    if (column === undefined || other === undefined) return
    const next = shown.map((each) => (each === column ? other : each === other ? column : each))
    choose(next, `${column.key} ${step}`)
  }
  return (
    <div ref={panel} className={classes.panel}>
      <ul>
        {[...shown, ...hidden].map((column) => {
          const at = shown.indexOf(column)
          const isLast = shown.length === 1 && at === 0
          return (
            <li key={column.key} className={classes.row}>
              <Checkbox
                label={column.header}
                checked={at !== -1}
                disabled={isLast}
                onChange={(isShown) =>
                  choose(isShown ? [...shown, column] : shown.filter((each) => each !== column))
                }
              />
              {at !== -1 && (
                <>
                  <IconButton
                    label={texts.up({ column: column.header })}
                    data-control={`${column.key} -1`}
                    aria-disabled={at === 0}
                    onClick={() => move(at, -1)}
                  >
                    <ChevronUpIcon size={16} />
                  </IconButton>
                  <IconButton
                    label={texts.down({ column: column.header })}
                    data-control={`${column.key} 1`}
                    aria-disabled={at === shown.length - 1}
                    onClick={() => move(at, 1)}
                  >
                    <ChevronDownIcon size={16} />
                  </IconButton>
                </>
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
