import { useEffect, useId, useRef } from 'react'
import { FieldNote, type FieldProps, RequiredMark } from './field-frame.tsx'
import classes from './field.module.css'

export type CheckboxProps = FieldProps & {
  checked: boolean
  onChange: (checked: boolean) => void
  /** Neither on nor off: only some of the items of the box are selected. */
  indeterminate?: boolean
}

export function Checkbox(props: CheckboxProps) {
  const { label, hideLabel, required, hint, error, checked, onChange, indeterminate = false } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <div className={classes.field}>
      <label className={classes.choice}>
        <input
          ref={input}
          type="checkbox"
          name={props.name}
          checked={checked}
          required={required}
          disabled={props.disabled}
          aria-describedby={error || hint ? `${id}note` : undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => {
            const box = event.currentTarget
            const isChosen = box.checked
            // Preact leaves the browser's own state. The box shows a change only when its owner makes it.
            box.checked = checked
            onChange(isChosen)
          }}
        />
        <span className={hideLabel ? 'visually-hidden' : undefined}>
          {label}
          {required && <RequiredMark />}
        </span>
      </label>
      <FieldNote id={`${id}note`} hint={hint} error={error} />
    </div>
  )
}
