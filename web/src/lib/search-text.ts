import { normalizeApostrophes } from '@karvon/contract/lib/apostrophes.ts'

/** A text as searches compare it: in lower case, with е for ё and one kind of apostrophe, without spaces around it. */
export const normalizeSearch = (text: string): string =>
  normalizeApostrophes(text.trim().toLocaleLowerCase()).replaceAll('ё', 'е')
