import classes from './currency-note.module.css'
import { currencyNoteTexts as texts } from './currency-note.texts.ts'

/** The currencies whose payouts an answer adds up, by its meta. Empty where a host does not name them. */
export function readCurrencies(meta: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const currencies: unknown = meta?.currencies
  return Array.isArray(currencies) ? currencies.filter((code) => typeof code === 'string') : []
}

interface CurrencyNoteProps {
  readonly currencies: readonly string[]
  /** The figures are of one source already. */
  readonly isOneSource: boolean
}

/** Says that sums add payouts in several currencies. Nothing if there is one. */
export function CurrencyNote({ currencies, isOneSource }: CurrencyNoteProps) {
  if (currencies.length < 2) return null
  return (
    <p className={classes.note}>
      {texts.mixed({ currencies: currencies.join(', ') })}
      {!isOneSource && ` ${texts.chooseSource}`}
    </p>
  )
}
