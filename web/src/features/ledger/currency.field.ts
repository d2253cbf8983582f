import { isCurrency } from '@karvon/contract/lib/money.ts'
import { readFieldText, type FormField } from '../../components/form/form.rules.ts'
import { ledgerTexts as texts } from './ledger.texts.ts'

/** The currency of an account, as a code such as UZS. */
export const currencyField: FormField = {
  name: 'currency',
  label: texts.currency,
  kind: 'text',
  required: true,
  width: 'half',
  validate: (value) => (isCurrency(readFieldText(value)) ? null : texts.currencyInvalid),
}
