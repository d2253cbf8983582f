import { speak } from '../ui/language/language.ts'

export const passwordTexts = speak({
  current: 'Current password',
})
