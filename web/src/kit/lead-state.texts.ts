import { speak } from '../ui/language/language.ts'

/** A lead whose word stands for no status yet. */
export const unmappedState = speak('Unmapped')
