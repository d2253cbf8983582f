import { useRef, useState } from 'react'
import { IconButton } from '../actions/icon-button.tsx'
import { ChevronDownIcon, CloseIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { FieldFrame } from './field-frame.tsx'
import { useListbox } from './listbox.hook.ts'
import { ListboxPopup } from './listbox.tsx'
import type { SelectProps } from './select.tsx'
import classes from './select.module.css'

export type MultiSelectProps = Omit<
  SelectProps,
  'value' | 'onChange' | 'emptyOption' | 'clearable' | 'searchable'
> & {
  value: readonly string[]
  onChange: (value: string[]) => void
}

/** Selects any number of options, shown as pills. Backspace in the empty input removes the last one. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, options, value, onChange, onBlur, onSearch, placeholder, required, disabled, invalid } =
    props
  const texts = useUiTexts()
  const anchor = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isTouched, setIsTouched] = useState(false)
  const omitValue = (removedValue: string) => value.filter((item) => item !== removedValue)
  const box = useListbox({
    options,
    onSearch,
    searchable: true,
    disabled: disabled ?? false,
    selected: value,
    keepOpen: true,
    onPick: (option) => {
      onChange(value.includes(option.value) ? omitValue(option.value) : [...value, option.value])
      box.search('')
    },
  })
  const hasUnknownValue =
    onSearch === undefined && options.length > 0 && value.some((item) => box.labelOf(item) === undefined)
  const isMissing = value.length === 0 && (invalid || (isTouched && required && !box.opened))
  const ownError = isMissing ? texts.required : hasUnknownValue || invalid ? texts.invalidOption : null
  const error = props.error === undefined ? ownError : props.error

  return (
    <FieldFrame {...props} error={error}>
      {(inputAttributes) => (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions jsx-a11y/click-events-have-key-events -- a press beside the input goes to it
        <div
          ref={anchor}
          className={classes.multi}
          data-invalid={error ? true : undefined}
          data-disabled={disabled || undefined}
          onClick={(event) => {
            if (event.target !== anchor.current) return
            input.current?.focus()
            box.open()
          }}
        >
          {value.map((item) => (
            <span key={item} className={classes.pill}>
              <span>{box.labelOf(item) ?? item}</span>
              <IconButton
                label={texts.remove({ label: box.labelOf(item) ?? item })}
                className={classes.remove}
                disabled={disabled}
                onClick={() => {
                  onChange(omitValue(item))
                  input.current?.focus()
                }}
              >
                <CloseIcon size={14} />
              </IconButton>
            </span>
          ))}
          <input
            {...inputAttributes}
            {...box.combobox}
            ref={input}
            type="text"
            name={props.name}
            value={box.query}
            placeholder={value.length === 0 ? (placeholder ?? texts.selectPlaceholder({ label })) : undefined}
            disabled={disabled}
            aria-required={required || undefined}
            onChange={(event) => box.search(event.currentTarget.value)}
            onClick={box.open}
            onKeyDown={(event) => {
              if (event.key === 'Backspace' && box.query === '' && value.length > 0)
                onChange(value.slice(0, -1))
              else box.onKeyDown(event)
            }}
            onBlur={() => {
              setIsTouched(true)
              box.close()
              onBlur?.()
            }}
          />
          <ChevronDownIcon size={16} className={classes.chevron} />
          <ListboxPopup box={box} anchor={anchor} label={label} selected={value} multiple />
        </div>
      )}
    </FieldFrame>
  )
}
