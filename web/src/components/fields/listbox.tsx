import type { RefObject } from 'react'
import { CheckIcon } from '../actions/icons.tsx'
import { Popup } from '../overlay/popup.tsx'
import { useUiTexts } from '../texts.ts'
import type { Listbox } from './listbox.hook.ts'
import classes from './listbox.module.css'

type ListboxPopupProps = {
  box: Listbox
  anchor: RefObject<HTMLElement | null>
  label: string
  selected: readonly string[]
  multiple?: boolean
}

/** The list of options below a combobox. The focus stays in the input. */
export function ListboxPopup({ box, anchor, label, selected, multiple = false }: ListboxPopupProps) {
  const texts = useUiTexts()
  if (!box.opened) return null
  const empty = box.shown.length === 0
  return (
    <Popup anchor={anchor} matchWidth onClose={box.close}>
      {(empty || box.loading) && (
        <p id={empty ? `${box.id}list` : undefined} role="status" className={classes.note}>
          {box.loading ? texts.loading : texts.noOptions}
        </p>
      )}
      {!empty && (
        <ul
          id={`${box.id}list`}
          role="listbox"
          aria-label={label}
          aria-multiselectable={multiple || undefined}
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
              aria-disabled={option.disabled || undefined}
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
