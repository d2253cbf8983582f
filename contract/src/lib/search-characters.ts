import { otherApostrophes } from './apostrophes.ts'

/**
 * Characters that people type one for another: е and ё, apostrophes, spaces. A search finds all of a group, and any number
 * of spaces for any other. Each group is a regular expression that starts with a character class, in lower case.
 */
export const equalCharacters: readonly string[] = [
  '[её]',
  `['${otherApostrophes}]`,
  '[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+',
]
