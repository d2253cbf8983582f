import { FieldFrame } from './field-frame.tsx'
import classes from './field.module.css'
import type { TextFieldProps } from './text-field.tsx'

export type TextAreaProps = Omit<TextFieldProps, 'type' | 'autoComplete' | 'ref' | 'autoFocus'> & {
  rows?: number | undefined
  /** For what is code: every letter is as wide as any other, and nothing is spell-checked. */
  mono?: boolean | undefined
}

export function TextArea(props: TextAreaProps) {
  const { value, onChange, onBlur, placeholder, maxLength, rows = 3, mono = false } = props
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
          spellCheck={mono ? false : undefined}
          className={`${classes.input} ${classes.area}${mono ? ' mono' : ''}`}
        />
      )}
    </FieldFrame>
  )
}
