import { expect, test } from 'vitest'
import { normalizeSearch } from './search-text.ts'

test('a search compares texts without letter case, dots of ё, kinds of apostrophes and spaces around them', () => {
  expect(normalizeSearch(' ОТЧЕТЫ ')).toBe(normalizeSearch('Отчёты'))
  expect(normalizeSearch('Yoʻl')).toBe(normalizeSearch("yo'l"))
  expect(normalizeSearch('Отчёты')).not.toBe(normalizeSearch('Отчаты'))
})
