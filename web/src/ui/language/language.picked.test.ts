import { afterEach, expect, test, vi } from 'vitest'

/** The modules as a page has them that starts with this in its storage. */
async function started(stored: string | null) {
  vi.resetModules()
  const kept = new Map(stored === null ? [] : [['language', stored]])
  const root = { lang: 'ru' }
  const reload = vi.fn<() => void>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('document', { documentElement: root })
  vi.stubGlobal('location', { reload })
  const [{ pickLanguage }, { authTexts }, { resourceTexts }, numbers, { formatDay }] = await Promise.all([
    import('./language.ts'),
    import('../../auth/auth.texts.ts'),
    import('../../kit/resource.texts.ts'),
    import('../format/number.format.ts'),
    import('../format/day.format.ts'),
  ])
  return { kept, root, reload, pickLanguage, authTexts, resourceTexts, numbers, formatDay }
}

afterEach(() => vi.unstubAllGlobals())

test.each([null, '', 'de', 'toString'])('with %j stored all is as specified', async (stored) => {
  const { root, authTexts, resourceTexts, numbers, formatDay } = await started(stored)
  expect(root.lang).toBe('ru')
  expect(authTexts.login.submit).toBe('Войти')
  expect(resourceTexts.saveFailed('offer')).toBe('Failed to save offer. Please try again.')
  expect(numbers.formatNumber(1234.5, 1, '.')).toBe('1\u00a0234.5')
  expect(numbers.formatBytes(2_500_000)).toBe('2.5\u00a0MB')
  expect(formatDay('2026-11-21')).toBe('21.11.2026')
})

test.each([
  [
    'ru',
    'Войти',
    'Не удалось сохранить оффер. Попробуйте ещё раз.',
    '1\u00a0234,5',
    '2,5\u00a0МБ',
    '21.11.2026',
  ],
  ['uz', 'Kirish', 'Saqlanmadi: offer. Qayta urinib ko‘ring.', '1\u00a0234,5', '2,5\u00a0MB', '21.11.2026'],
  ['en', 'Sign in', 'Failed to save offer. Please try again.', '1,234.5', '2.5\u00a0MB', '21/11/2026'],
])('%s is what every text, number and day follows', async (stored, submit, failed, number, bytes, day) => {
  const { root, authTexts, resourceTexts, numbers, formatDay } = await started(stored)
  expect(root.lang).toBe(stored)
  expect(authTexts.login.submit).toBe(submit)
  expect(resourceTexts.saveFailed('offer')).toBe(failed)
  expect(numbers.formatNumber(1234.5, 1, stored === 'en' ? ',' : '.')).toBe(number)
  expect(numbers.formatBytes(2_500_000)).toBe(bytes)
  expect(formatDay('2026-11-21')).toBe(day)
})

test('an English amount is read as it is shown', async () => {
  const { numbers } = await started('en')
  expect(numbers.groupDigits('1234567.5')).toBe('1,234,567.5')
  expect(numbers.parseDecimal('1,234,567.5', 2)).toBe('1234567.5')
  expect(numbers.parseDecimal('12,5', 2)).toBe('12.5')
  expect(numbers.parseDecimal('1,2345', 2)).toBeNull()
})

test('a choice is kept and shown by a fresh load; the mix is the absence of one', async () => {
  const { kept, reload, pickLanguage } = await started(null)
  pickLanguage('uz')
  expect(kept.get('language')).toBe('uz')
  pickLanguage('')
  expect(kept.has('language')).toBe(false)
  expect(reload).toHaveBeenCalledTimes(2)
})
