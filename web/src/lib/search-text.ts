import { equalCharacters } from '@karvon/contract/lib/search-characters.ts'

const characterGroups = equalCharacters.map((characters) => ({
  pattern: new RegExp(characters, 'g'),
  first: characters.charAt(1),
}))

/** A text as searches compare it: in lower case, with one of each group of equal characters, without spaces around it. */
export const normalizeSearch = (text: string): string =>
  characterGroups.reduce(
    (result, { pattern, first }) => result.replaceAll(pattern, first),
    text.trim().toLocaleLowerCase(),
  )
