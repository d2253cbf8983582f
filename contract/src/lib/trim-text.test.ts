import { expect, test } from 'vitest'
import { normalizeSpelling, trimText } from './trim-text.ts'

test.each([
  ['spaces, tabs and line breaks', ' \t\r\nAli\n '],
  ['a no-break space and a thin space', '\u00A0\u2009Ali\u202F'],
  ['a byte order mark and a zero width space', '\uFEFFAli\u200B \u200B'],
  ['marks of the writing direction', '\u200E\u202AAli\u202C\u200F\u2069'],
])('%s around a text are removed', (_what, text) => expect(trimText(text)).toBe('Ali'))

test('characters inside a text, and those that change an emoji, stay', () => {
  const text = 'A\u00A0B\u200BC'
  expect(trimText(text)).toBe(text)
  for (const emoji of ['❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']) expect(trimText(emoji)).toBe(emoji)
  expect(trimText('\u200B ')).toBe('')
})

test('a normalized text has plain spaces and composed letters', () => {
  expect(normalizeSpelling(' Ali\u00A0Vali\u2009ev\u200B')).toBe('Ali Vali ev')
  expect(normalizeSpelling('Андрей'.normalize('NFD'))).toBe('Андрей')
})

// A pattern would take longer than a test may.
test('many spaces inside a text take linear time', () => {
  const text = `a${' '.repeat(1_000_000)}b`
  expect(trimText(text)).toBe(text)
})
