import { useRef, useState } from 'react'
import { IconButton } from '../actions/icon-button.tsx'
import { ChevronDownIcon, CloseIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import fieldClasses from './field.module.css'
import { type OptionSearch, useListbox } from './listbox.hook.ts'
import { ListboxPopup } from './listbox.tsx'
import type { Option } from './radio-group.tsx'
import classes from './select.module.css'

export type SelectProps = FieldProps & {
  options: readonly Option[]
  /** Empty for none. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** Typing narrows the list; by default when there are more than 7 options or `onSearch` is given. */
  searchable?: boolean | undefined
  /** The server's search; `options` then is what shows before typing and should hold the chosen one. */
  onSearch?: OptionSearch | undefined
  /** Default 'Select {label}'. */
  placeholder?: string | undefined
  /** Adds a first option for the empty value, e.g. 'All sources', shown while nothing else is chosen. */
  emptyOption?: string | undefined
  /** A button that empties it; by default when it is neither required nor has an `emptyOption`. */
  clearable?: boolean | undefined
  /** Shows why it is invalid although no `error` is given. */
  invalid?: boolean | undefined
}

const searchableFrom = 8

/** Chooses one option. Left without an `error` prop it checks itself when it loses the focus. */
export function Select(props: SelectProps) {
  const { label, value, onChange, onBlur, onSearch, emptyOption, placeholder, required, disabled, invalid } =
    props
  const texts = useUiTexts()
  const anchor = useRef<HTMLSpanElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [touched, setTouched] = useState(false)
  const options =
    emptyOption === undefined ? props.options : [{ value: '', label: emptyOption }, ...props.options]
  const searchable = props.searchable ?? (onSearch !== undefined || props.options.length >= searchableFrom)
  const box = useListbox({
    options,
    onSearch,
    searchable,
    disabled: disabled ?? false,
    selected: [value],
    onPick: (option) => onChange(option.value),
  })
  const chosen = box.labelOf(value)
  const unknown = value !== '' && chosen === undefined && onSearch === undefined && props.options.length > 0
  const own = unknown
    ? texts.invalidOption
    : value === '' && (invalid || (touched && required && !box.opened))
      ? texts.required
      : invalid
        ? texts.invalidOption
        : null
  const clearable = props.clearable ?? (!required && emptyOption === undefined)

  return (
    <FieldFrame {...props} error={props.error === undefined ? own : props.error}>
      {(wiring) => (
        <span ref={anchor} className={classes.box}>
          <input
            {...wiring}
            {...box.combobox}
            ref={input}
            type="text"
            name={props.name}
            value={box.opened && searchable ? box.query : (chosen ?? '')}
            placeholder={(box.opened && chosen) || placeholder || texts.selectPlaceholder(label)}
            readOnly={!searchable}
            disabled={disabled}
            aria-required={required || undefined}
            className={`${fieldClasses.input} ${classes.input}`}
            onChange={(event) => box.search(event.currentTarget.value)}
            onClick={() => (box.opened && !searchable ? box.close() : box.open())}
            onKeyDown={box.onKeyDown}
            onBlur={() => {
              setTouched(true)
              box.close()
              onBlur?.()
            }}
          />
          {clearable && value !== '' && !disabled ? (
            <IconButton
              label={`${texts.clear} ${label}`}
              tabIndex={-1}
              className={classes.clear}
              onClick={() => {
                onChange('')
                input.current?.focus()
              }}
            >
              <CloseIcon size={16} />
            </IconButton>
          ) : (
            <ChevronDownIcon size={16} className={classes.chevron} />
          )}
          <ListboxPopup box={box} anchor={anchor} label={label} selected={[value]} />
        </span>
      )}
    </FieldFrame>
  )
}
