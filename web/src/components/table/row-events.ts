import type { Selection } from './column.ts'

type RowEventsInput<Row> = {
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  selection?: Selection | undefined
  onRowClick?: ((row: Row) => void) | undefined
}

/** What the body of a table does for its rows: a press, the keys and the checkbox of a row. */
export function createRowEvents<Row>({ rows, rowKey, selection, onRowClick }: RowEventsInput<Row>) {
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

  return { onClick, onChange, onKeyDown }
}
