import { FieldFrame, type FieldProps } from './field-frame.tsx'
import classes from './field.module.css'

export type TextFieldProps = FieldProps & {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  type?: 'text' | 'email' | 'url' | 'tel'
  placeholder?: string | undefined
  autoComplete?: string | undefined
  maxLength?: number | undefined
  /** Which keyboard a phone shows. */
  inputMode?: 'numeric' | undefined
  autoFocus?: boolean
  ref?: React.Ref<HTMLInputElement>
}

export function TextField(props: TextFieldProps) {
  const {
    value,
    onChange,
    onBlur,
    type = 'text',
    placeholder,
    autoComplete,
    maxLength,
    inputMode,
    autoFocus,
    ref,
  } = props
  return (
    <FieldFrame {...props}>
      {(wiring) => (
        <input
          {...wiring}
          ref={ref}
          type={type}
          name={props.name}
          value={value}
          required={props.required}
          disabled={props.disabled}
          placeholder={placeholder}
          autoComplete={autoComplete}
          maxLength={maxLength}
          inputMode={inputMode}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the caller knows that it is the page's one task
          autoFocus={autoFocus}
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={onBlur}
          className={classes.input}
        />
      )}
    </FieldFrame>
  )
}
