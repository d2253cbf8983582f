import { FieldFrame } from './field-frame.tsx'
import classes from './field.module.css'
import type { TextFieldProps } from './text-field.tsx'

export type TextAreaProps = Omit<TextFieldProps, 'type' | 'autoComplete' | 'ref' | 'autoFocus'> & {
  rows?: number
}

export function TextArea(props: TextAreaProps) {
  const { value, onChange, onBlur, placeholder, maxLength, rows = 3 } = props
  return (
    <FieldFrame {...props}>
      {(wiring) => (
        <textarea
          {...wiring}
          name={props.name}
          value={value}
          rows={rows}
          required={props.required}
          disabled={props.disabled}
          placeholder={placeholder}
          maxLength={maxLength}
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={onBlur}
          className={`${classes.input} ${classes.area}`}
        />
      )}
    </FieldFrame>
  )
}
