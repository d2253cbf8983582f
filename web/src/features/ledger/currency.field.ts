import { readFieldText, type FormField } from '../../components/form/form.rules.ts'
import { ledgerTexts as texts } from './ledger.texts.ts'

/** The currency of an account, as a code such as UZS. */
export const currencyField: FormField = {
  name: 'currency',
  label: texts.currency,
  kind: 'text',
  required: true,
  width: 'half',
  validate: (value) => (/^[A-Z]{3}$/.test(readFieldText(value)) ? null : texts.currencyInvalid),
}
