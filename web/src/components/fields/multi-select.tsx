import { useRef, useState } from 'react'
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { FieldFrame } from './field-frame.tsx'
import { useFocusOnMount } from './focus-on-mount.hook.ts'
import { useListbox } from './listbox.hook.ts'
import { ListboxPopup } from './listbox.tsx'
import { SelectEnd } from './select-end.tsx'
import type { SelectProps } from './select.tsx'
import classes from './select.module.css'

export type MultiSelectProps = Omit<
  SelectProps,
  'value' | 'onChange' | 'emptyOption' | 'clearable' | 'searchable'
> & {
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Adds a button that removes all values. */
  clearable?: boolean | undefined
  /** Shown before the values, e.g. 'Region:' where the label is hidden. */
  prefix?: string | undefined
  /** The most values. The open list says so when they are reached. */
  max?: number | undefined
}

/** Selects several options, shown as pills. Backspace in the empty input removes the last one. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, options, value, onChange, onSearch, placeholder, required, disabled, invalid } = props
  const { clearable = false, prefix, max = Number.POSITIVE_INFINITY } = props
  const texts = useUiTexts()
  const anchor = useRef<HTMLDivElement>(null)
  const values = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isTouched, setIsTouched] = useState(false)
  useFocusOnMount(input, props.focusOnMount)
  const omitValue = (removedValue: string) => value.filter((item) => item !== removedValue)
  const box = useListbox({
    options,
    onSearch,
    isLoading: props.loading,
    searchable: true,
    disabled: disabled ?? false,
    selected: value,
    keepOpen: true,
    onPick: (option) => {
      if (value.includes(option.value)) onChange(omitValue(option.value))
      else if (value.length < max) onChange([...value, option.value])
      box.search('')
    },
  })
  const change = (next: string[]) => {
    onChange(next)
    input.current?.focus()
  }
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
          data-clearable={clearable || undefined}
          data-filled={(value.length > 0 && box.query === '') || undefined}
          onClick={(event) => {
            if (event.target !== anchor.current && event.target !== values.current) return
            input.current?.focus()
            box.open()
          }}
        >
          <div ref={values} className={classes.values}>
            <Pills
              value={value}
              prefix={prefix}
              labelOf={box.labelOf}
              disabled={disabled}
              onRemove={(item) => change(omitValue(item))}
            />
            <input
              {...inputAttributes}
              {...box.combobox}
              ref={input}
              type="text"
              name={props.name}
              value={box.query}
              placeholder={
                value.length === 0 ? (placeholder ?? texts.selectPlaceholder({ label })) : undefined
              }
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
                box.leave()
              }}
            />
          </div>
          <SelectEnd
            label={label}
            onClear={clearable && value.length > 0 && !disabled ? () => change([]) : undefined}
          />
          <ListboxPopup box={box} anchor={anchor} label={label} selected={value} max={max} />
        </div>
      )}
    </FieldFrame>
  )
}

interface PillsProps {
  readonly value: readonly string[]
  readonly prefix: string | undefined
  readonly labelOf: (value: string) => string | undefined
  readonly disabled: boolean | undefined
  readonly onRemove: (value: string) => void
}

/** The selected options with their prefix. */
function Pills({ value, prefix, labelOf, disabled, onRemove }: PillsProps) {
  return (
    <>
      {prefix !== undefined && value.length > 0 && (
        <span aria-hidden="true" className={classes.prefix}>
          {prefix}
        </span>
      )}
      {value.map((item) => (
        <Pill key={item} label={labelOf(item) ?? item} disabled={disabled} onRemove={() => onRemove(item)} />
      ))}
    </>
  )
}

interface PillProps {
  readonly label: string
  readonly disabled: boolean | undefined
  readonly onRemove: () => void
}

function Pill({ label, disabled, onRemove }: PillProps) {
  const texts = useUiTexts()
  return (
    <span className={classes.pill}>
      <span title={label}>{label}</span>
      <IconButton
        label={texts.remove({ label })}
        className={classes.remove}
        disabled={disabled}
        onClick={onRemove}
      >
        <CloseIcon size={14} />
      </IconButton>
    </span>
  )
}
