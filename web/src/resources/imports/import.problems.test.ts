import { afterEach, expect, test, vi } from 'vitest'
import ru from '../../lib/i18n/ru.json'

const version = new URL('../../lib/i18n/language.ts', import.meta.url).href
const storedItems = new Map([
  ['language', 'ru'],
  ['language-texts', JSON.stringify({ language: 'ru', version, texts: ru })],
])

afterEach(() => vi.unstubAllGlobals())

test('the csv of skipped rows has their reasons in the picked language', async () => {
  vi.stubGlobal('localStorage', { getItem: (key: string) => storedItems.get(key) ?? null })
  vi.stubGlobal('document', { documentElement: { lang: 'ru' } })
  const { loadLanguage } = await import('../../lib/i18n/language.ts')
  await loadLanguage()
  const [{ problemsCsv }, { importTexts }] = await Promise.all([
    import('./import.problems.ts'),
    import('./import.texts.ts'),
  ])
  const problem = {
    row: 2,
    field: 'weight',
    message: 'weight has more than 3 decimals',
    code: 'more_decimals',
    params: { label: 'weight', max: 3 },
  }
  expect(await problemsCsv([problem], importTexts.report).text()).toContain(
    '2,weight,weight: знаков после запятой больше 3\r\n',
  )
})
