import { defineMessages } from '../../lib/i18n/messages.ts'

export const currencyNoteTexts = defineMessages('currencyNote', {
  mixed: 'Leads have payouts in several currencies: {currencies}. Sums add them without conversion.',
  chooseSource: 'Choose a source to see one currency.',
})
