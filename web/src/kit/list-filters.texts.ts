import { speak } from '../ui/language/language.ts'

export const filterTexts = speak({ period: 'Period', anyPeriod: 'Any period' })
