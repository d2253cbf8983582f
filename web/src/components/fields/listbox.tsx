import type { RefObject } from 'react'
import { CheckIcon } from '../actions/icons.tsx'
import { Popup } from '../overlay/popup.tsx'
import { useUiTexts, type UiTexts } from '../texts.ts'
import type { Listbox } from './listbox.hook.ts'
import classes from './listbox.module.css'

type ListboxPopupProps = {
  box: Listbox
  anchor: RefObject<HTMLElement | null>
  label: string
  selected: readonly string[]
  /** The most values of a list of several. Options that would be one too many cannot be chosen. */
  max?: number
}

function getNote({ loading, isError }: Listbox, texts: UiTexts): string {
  if (loading) return texts.loading
  return isError ? texts.failed : texts.noOptions
}

/** The list of options below a combobox. The focus stays in the input. */
export function ListboxPopup({ box, anchor, label, selected, max }: ListboxPopupProps) {
  const texts = useUiTexts()
  if (!box.opened) return null
  const isFull = max !== undefined && selected.length >= max
  const empty = box.shown.length === 0
  return (
    <Popup anchor={anchor} matchWidth onClose={box.leave}>
      {(empty || box.loading) && (
        <p id={empty ? `${box.id}list` : undefined} role="status" className={classes.note}>
          {getNote(box, texts)}
        </p>
      )}
      {isFull && (
        <p role="status" className={classes.note}>
          {texts.atMost({ max })}
        </p>
      )}
      {!empty && (
        <ul
          id={`${box.id}list`}
          role="listbox"
          aria-label={label}
          aria-multiselectable={max !== undefined || undefined}
          aria-busy={box.loading || undefined}
          className={classes.list}
          onMouseDown={(event) => event.preventDefault()}
        >
          {box.shown.map((option, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox's input has the keys
            <li
              key={option.value}
              id={`${box.id}o${index}`}
              role="option"
              aria-selected={selected.includes(option.value)}
              aria-disabled={option.disabled || (isFull && !selected.includes(option.value)) || undefined}
              data-active={index === box.active || undefined}
              className={classes.option}
              onClick={() => box.pick(option)}
            >
              <span className={classes.label}>{option.label}</span>
              {selected.includes(option.value) && <CheckIcon size={16} />}
            </li>
          ))}
        </ul>
      )}
    </Popup>
  )
}
