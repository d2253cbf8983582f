import { useState } from 'react'
import { IconButton } from '../actions/icon-button.tsx'
import { EyeIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { FieldFrame } from './field-frame.tsx'
import classes from './field.module.css'
import { getLengthError } from './max-length.ts'
import type { TextFieldProps } from './text-field.tsx'

export type PasswordFieldProps = Omit<TextFieldProps, 'type'>

/** A password with a button that makes it visible. */
export function PasswordField(props: PasswordFieldProps) {
  const { value, onChange, placeholder, autoComplete, maxLength, ref } = props
  const [isVisible, setIsVisible] = useState(false)
  const texts = useUiTexts()
  const error = props.error || getLengthError(value, { label: props.label, maxLength, texts })
  return (
    <FieldFrame {...props} error={error}>
      {(inputAttributes) => (
        <span className={classes.with}>
          <input
            {...inputAttributes}
            ref={ref}
            type={isVisible ? 'text' : 'password'}
            name={props.name}
            value={value}
            required={props.required}
            disabled={props.disabled}
            placeholder={placeholder}
            autoComplete={autoComplete}
            spellCheck="false"
            autoCapitalize="none"
            onChange={(event) => onChange(event.currentTarget.value)}
            className={classes.input}
          />
          <IconButton
            label={isVisible ? texts.hidePassword : texts.showPassword}
            aria-pressed={isVisible}
            disabled={props.disabled}
            onClick={() => setIsVisible(!isVisible)}
          >
            <EyeIcon size={18} />
          </IconButton>
        </span>
      )}
    </FieldFrame>
  )
}
