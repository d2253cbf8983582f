import { FieldFrame } from './field-frame.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './field.module.css'
import { getLengthError } from './max-length.ts'
import type { TextFieldProps } from './text-field.tsx'

export type TextAreaProps = Omit<TextFieldProps, 'type' | 'autoComplete' | 'ref'> & {
  rows?: number | undefined
  /** For code: a monospaced font without spell check. */
  mono?: boolean | undefined
}

export function TextArea(props: TextAreaProps) {
  const { value, onChange, placeholder, maxLength, rows = 3, mono = false } = props
  const texts = useUiTexts()
  const error = props.error || getLengthError(value.trim(), { label: props.label, maxLength, texts })
  return (
    <FieldFrame {...props} error={error}>
      {(inputAttributes) => (
        <textarea
          {...inputAttributes}
          name={props.name}
          value={value}
          rows={rows}
          required={props.required}
          disabled={props.disabled}
          placeholder={placeholder}
          onChange={(event) => onChange(event.currentTarget.value)}
          spellCheck={mono ? 'false' : undefined}
          className={`${classes.input} ${classes.area}${mono ? ' mono' : ''}`}
        />
      )}
    </FieldFrame>
  )
}
