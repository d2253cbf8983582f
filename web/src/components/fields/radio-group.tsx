import { useId } from 'react'
import { FieldNote, type FieldProps, RequiredMark } from './field-frame.tsx'
import classes from './field.module.css'
import type { Option } from './options.ts'

export type RadioGroupProps = FieldProps & {
  options: readonly Option[]
  value: string
  onChange: (value: string) => void
}

export function RadioGroup(props: RadioGroupProps) {
  const { label, hideLabel, required, hint, error, options, value, onChange } = props
  const id = useId()
  return (
    <fieldset
      role="radiogroup"
      className={classes.field}
      aria-describedby={error || hint ? `${id}note` : undefined}
      aria-invalid={error ? true : undefined}
      aria-required={required || undefined}
    >
      <legend className={hideLabel ? 'visually-hidden' : classes.label}>
        {label}
        {required && <RequiredMark />}
      </legend>
      <div className={classes.choices}>
        {options.map((option) => (
          <label key={option.value} className={classes.choice}>
            <input
              type="radio"
              name={props.name ?? id}
              value={option.value}
              checked={option.value === value}
              required={required}
              disabled={props.disabled || option.disabled}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      <FieldNote id={`${id}note`} hint={hint} error={error} />
    </fieldset>
  )
}
