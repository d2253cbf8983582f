import { speak } from '../lib/i18n/language.ts'

export const passwordTexts = speak({
  current: 'Current password',
})
