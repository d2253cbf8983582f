import { equalCharacters } from '@karvon/contract/lib/search-characters.ts'

/** A text as searches compare it: in lower case, with one of each group of equal characters, without spaces around it. */
export const normalizeSearch = (text: string): string =>
  equalCharacters.reduce(
    (result, characters) => result.replaceAll(new RegExp(`[${characters}]`, 'g'), characters.charAt(0)),
    text.trim().toLocaleLowerCase(),
  )
