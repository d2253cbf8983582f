import { translate } from '../lib/i18n/language.ts'

export const passwordTexts = translate({
  current: 'Current password',
})
