import { otherApostrophes } from './apostrophes.ts'

/**
 * Characters that people type one for another: е and ё, apostrophes, spaces. A search finds all of a group. Each group is the inside of
 * a character class of regular expressions, in lower case.
 */
export const equalCharacters: readonly string[] = [
  'её',
  `'${otherApostrophes}`,
  ' \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000',
]
