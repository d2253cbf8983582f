import { useState } from 'react'
import { decimalMark, groupDigits, parseDecimal } from '../../lib/format/number.format.ts'
import { useUiTexts } from '../texts.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import classes from './field.module.css'

export type NumberFieldProps = FieldProps & {
  /** Exact decimal text such as `149000.5`; empty for none. What is no number yet is passed on as typed. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** Digits allowed behind the mark; 0 by default. */
  decimals?: number
  /** Thousands apart while it is not focused; true by default, false for ids. */
  grouped?: boolean
  placeholder?: string | undefined
}

/** A number kept as exact text. While it has the focus it shows plain digits, otherwise thousands apart. */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, onBlur, decimals = 0, grouped = true, placeholder } = props
  const texts = useUiTexts()
  const [typed, setTyped] = useState<string | null>(null)
  const valid = parseDecimal(value, decimals) !== null
  const wrong = decimals === 0 ? texts.invalidNumber : texts.invalidMoney
  const shown = typed ?? (grouped && valid ? groupDigits(value) : value)
  return (
    <FieldFrame {...props} error={props.error || (valid || typed !== null ? null : wrong)}>
      {(wiring) => (
        <input
          {...wiring}
          type="text"
          inputMode={decimals > 0 ? 'decimal' : 'numeric'}
          autoComplete="off"
          name={props.name}
          value={shown}
          required={props.required}
          disabled={props.disabled}
          placeholder={placeholder}
          onFocus={() => setTyped(value.replace('.', decimalMark()))}
          onChange={(event) => {
            const text = event.currentTarget.value
            setTyped(text)
            onChange(parseDecimal(text, decimals) ?? text)
          }}
          onBlur={() => {
            setTyped(null)
            onBlur?.()
          }}
          className={`${classes.input} ${classes.number}`}
        />
      )}
    </FieldFrame>
  )
}

/** An amount with at most 2 decimals, as exact text. */
export function MoneyField(props: Omit<NumberFieldProps, 'decimals' | 'grouped'>) {
  return <NumberField {...props} decimals={2} />
}
