import { expect, test } from 'vitest'
import { normalizeSearch } from './search-text.ts'

test('a search compares texts without letter case, dots of ё, kinds of apostrophes, spaces around them and the number of spaces inside', () => {
  expect(normalizeSearch(' ОТЧЕТЫ ')).toBe(normalizeSearch('Отчёты'))
  expect(normalizeSearch('Yoʻl')).toBe(normalizeSearch("yo'l"))
  expect(normalizeSearch('Aliyev \u00A0 Vali')).toBe(normalizeSearch('Aliyev Vali'))
  expect(normalizeSearch('Отчёты')).not.toBe(normalizeSearch('Отчаты'))
})
