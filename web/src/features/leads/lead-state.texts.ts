import { speak } from '../../lib/i18n/language.ts'

/** A lead whose word stands for no status yet. */
export const unmappedState = speak('Unmapped')
