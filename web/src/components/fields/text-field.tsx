import { FieldFrame, type FieldProps } from './field-frame.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './field.module.css'
import { getLengthError } from './max-length.ts'

export type TextFieldProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  /** The value of a date is `yyyy-mm-dd`, empty while it is not complete. */
  type?: 'text' | 'email' | 'url' | 'tel' | 'date'
  placeholder?: string | undefined
  autoComplete?: string | undefined
  /** A longer text is an error. It is not cut. */
  maxLength?: number | undefined
  /** The keyboard of a phone. */
  inputMode?: 'numeric' | 'text' | undefined
  ref?: React.Ref<HTMLInputElement>
}

export function TextField(props: TextFieldProps) {
  const { value, onChange, type = 'text', placeholder, autoComplete, maxLength, inputMode, ref } = props
  const texts = useUiTexts()
  const error = props.error || getLengthError(value.trim(), { label: props.label, maxLength, texts })
  return (
    <FieldFrame {...props} error={error}>
      {(inputAttributes) => (
        <input
          {...inputAttributes}
          ref={ref}
          type={type}
          name={props.name}
          value={value}
          required={props.required}
          disabled={props.disabled}
          placeholder={placeholder}
          autoComplete={autoComplete}
          inputMode={inputMode}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={classes.input}
        />
      )}
    </FieldFrame>
  )
}
