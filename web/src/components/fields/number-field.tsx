import { useState } from 'react'
import { getDecimalMark, groupDigits, parseDecimal } from '../../lib/format/number.format.ts'
import { useUiTexts } from '../texts.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import classes from './field.module.css'

export type NumberFieldProps = FieldProps & {
  /**
   * Exact decimal text such as `149000.5`, empty for none. Text that is not a number yet is passed on as
   * typed.
   */
  value: string
  onChange: (value: string) => void
  /** The number of digits after the decimal mark. Default 0. */
  decimals?: number
  /** The keypad of a phone. Default: the one for numbers. */
  inputMode?: 'numeric' | 'text' | undefined
  placeholder?: string | undefined
}

/** A number as exact text. A focused field shows plain digits, otherwise thousands are grouped. */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, decimals = 0, placeholder } = props
  const texts = useUiTexts()
  const [typedText, setTypedText] = useState<string | null>(null)
  const isValid = parseDecimal(value, decimals) !== null
  const formatError = decimals === 0 ? texts.invalidNumber : texts.invalidMoney
  const displayText = typedText ?? (isValid ? groupDigits(value) : value)
  return (
    <FieldFrame {...props} error={props.error || (isValid || typedText !== null ? null : formatError)}>
      {(inputAttributes) => (
        <input
          {...inputAttributes}
          type="text"
          inputMode={props.inputMode ?? (decimals > 0 ? 'decimal' : 'numeric')}
          autoComplete="off"
          name={props.name}
          value={displayText}
          required={props.required}
          disabled={props.disabled}
          placeholder={placeholder}
          onFocus={({ currentTarget: input }) => {
            const hasSelection = input.selectionStart !== displayText.length
            // A change of the text ends the selection that Tab made before this event.
            input.value = value.replace('.', getDecimalMark())
            setTypedText(input.value)
            if (hasSelection) input.select()
          }}
          onChange={(event) => {
            const text = event.currentTarget.value
            setTypedText(text)
            onChange(parseDecimal(text, decimals) ?? text)
          }}
          onBlur={() => setTypedText(null)}
          className={`${classes.input} ${classes.number}`}
        />
      )}
    </FieldFrame>
  )
}

/** An amount with at most 2 decimals, as exact text. */
export function MoneyField(props: Omit<NumberFieldProps, 'decimals'>) {
  return <NumberField {...props} decimals={2} />
}
