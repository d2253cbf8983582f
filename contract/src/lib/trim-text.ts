/**
 * Space characters, and characters without a shape that people copy together with a text: zero width spaces, soft hyphens,
 * and marks and ends of a writing direction.
 */
const edgeCharacter = /[\s\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069]/

/** Removes the spaces and the invisible characters around a text that a person typed or pasted. */
export function trimText(text: string): string {
  let start = 0
  let end = text.length
  // A pattern that ends with $ would take quadratic time for many spaces inside a text.
  while (start < end && edgeCharacter.test(text.charAt(start))) start++
  while (start < end && edgeCharacter.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/**
 * A trimmed text with plain spaces and composed letters: text of web pages has no-break spaces, and text of PDF files has
 * й as two characters. For texts that people find by what they type, and never for ids.
 */
export const normalizeSpelling = (text: string): string =>
  trimText(text)
    .normalize('NFC')
    .replaceAll(/\p{Zs}/gu, ' ')
