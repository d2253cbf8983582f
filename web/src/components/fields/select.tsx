import { useRef, useState } from 'react'
import { useUiTexts } from '../texts.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import fieldClasses from './field.module.css'
import { useFocusOnMount } from './focus-on-mount.hook.ts'
import { useListbox } from './listbox.hook.ts'
import { ListboxPopup } from './listbox.tsx'
import type { OptionSearch } from './option-search.hook.ts'
import type { Option } from './options.ts'
import { SelectEnd } from './select-end.tsx'
import classes from './select.module.css'

export type SelectProps = FieldProps & {
  options: readonly Option[]
  /** Empty means none. */
  value: string
  onChange: (value: string) => void
  /** Typing filters the list. Default: when there are more than 7 options or `onSearch` is given. */
  searchable?: boolean | undefined
  /**
   * The search on the server. `options` is then the list before typing and should contain the selected one.
   */
  onSearch?: OptionSearch | undefined
  /** The options are still loading. The open list says so. */
  loading?: boolean | undefined
  /** Default 'Select {label}'. */
  placeholder?: string | undefined
  /** Adds a first option for the empty value, e.g. 'All sources'. */
  emptyOption?: string | undefined
  /** Adds a button that empties the field. Default: when it is neither required nor has an `emptyOption`. */
  clearable?: boolean | undefined
  /** Moves the focus to the field when it appears. */
  focusOnMount?: boolean | undefined
  /** Shows the field's own error although no `error` is given. */
  invalid?: boolean | undefined
}

const minSearchableOptions = 8

/** Selects one option. Without an `error` prop the field validates itself on blur. */
export function Select(props: SelectProps) {
  const { label, value, onChange, onSearch, emptyOption, placeholder, required, disabled, invalid } = props
  const texts = useUiTexts()
  const anchor = useRef<HTMLSpanElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isTouched, setIsTouched] = useState(false)
  useFocusOnMount(input, props.focusOnMount)
  const options =
    emptyOption === undefined ? props.options : [{ value: '', label: emptyOption }, ...props.options]
  const searchable =
    props.searchable ?? (onSearch !== undefined || props.options.length >= minSearchableOptions)
  const box = useListbox({
    options,
    onSearch,
    isLoading: props.loading,
    searchable,
    disabled: disabled ?? false,
    selected: [value],
    onPick: (option) => onChange(option.value),
  })
  const selectedLabel = box.labelOf(value)
  const isUnknownValue =
    onSearch === undefined && props.options.length > 0 && value !== '' && selectedLabel === undefined
  const isMissing = value === '' && (invalid || (isTouched && required && !box.opened))
  const ownError = isMissing ? texts.required : isUnknownValue || invalid ? texts.invalidOption : null
  const clearable = props.clearable ?? (!required && emptyOption === undefined)

  const clear = () => {
    onChange('')
    input.current?.focus()
  }

  return (
    <FieldFrame {...props} error={props.error === undefined ? ownError : props.error}>
      {(inputAttributes) => (
        <span ref={anchor} className={classes.box}>
          <input
            {...inputAttributes}
            {...box.combobox}
            ref={input}
            type="text"
            name={props.name}
            value={box.opened && searchable ? box.query : (selectedLabel ?? '')}
            placeholder={(box.opened && selectedLabel) || placeholder || texts.selectPlaceholder({ label })}
            readOnly={!searchable}
            data-empty={value === '' || undefined}
            disabled={disabled}
            aria-required={required || undefined}
            className={`${fieldClasses.input} ${classes.input}`}
            onChange={(event) => box.search(event.currentTarget.value)}
            onClick={() => (box.opened && !searchable ? box.close() : box.open())}
            onKeyDown={box.onKeyDown}
            onBlur={() => {
              setIsTouched(true)
              box.leave()
            }}
          />
          <SelectEnd
            label={label}
            onClear={clearable && value !== '' && !disabled ? clear : undefined}
            tabIndex={-1}
          />
          <ListboxPopup box={box} anchor={anchor} label={label} selected={[value]} />
        </span>
      )}
    </FieldFrame>
  )
}
