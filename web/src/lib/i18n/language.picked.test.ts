import { afterEach, describe, expect, test, vi } from 'vitest'
import en from './en.json'
import ru from './ru.json'
import uz from './uz.json'

const catalogues = new Map<string, unknown>([
  ['ru', ru],
  ['uz', uz],
  ['en', en],
])
const version = new URL('language.ts', import.meta.url).href

/** The storage of a browser with a picked language and its catalogue. */
const createStorage = (language: string, from = version): [string, string][] => [
  ['language', language],
  ['language-texts', JSON.stringify({ language, version: from, texts: catalogues.get(language) })],
]

/** Loads the modules as a page does that starts with this storage. */
async function loadModules(storage: readonly (readonly [string, string])[]) {
  vi.resetModules()
  const storedItems = new Map(storage)
  const root = { lang: 'ru' }
  const reload = vi.fn<() => void>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, value: string) => storedItems.set(key, value),
    removeItem: (key: string) => storedItems.delete(key),
  })
  vi.stubGlobal('document', { documentElement: root })
  vi.stubGlobal('location', { reload, href: 'http://karvon.invalid/' })
  vi.stubGlobal('fetch', async () => new Response())
  const [{ pickLanguage, loadLanguage, getText }, { authTexts }, { resourceTexts }, numbers, { formatDay }] =
    await Promise.all([
      import('./language.ts'),
      import('../../features/auth/auth.texts.ts'),
      import('../../resources/resource.texts.ts'),
      import('../format/number.format.ts'),
      import('../format/day.format.ts'),
    ])
  return {
    kept: storedItems,
    root,
    reload,
    pickLanguage,
    loadLanguage,
    getText,
    authTexts,
    resourceTexts,
    numbers,
    formatDay,
  }
}

afterEach(() => vi.unstubAllGlobals())

test.each([null, '', 'de', 'toString'])(
  'with %j in storage every text, number and day is as specified',
  async (storedLanguage) => {
    const { root, loadLanguage, authTexts, resourceTexts, numbers, formatDay, getText } = await loadModules(
      storedLanguage === null ? [] : [['language', storedLanguage]],
    )
    expect(await loadLanguage()).toBe(true)
    expect(root.lang).toBe('ru')
    expect(authTexts.login.submit).toBe('Войти')
    expect(resourceTexts.saveFailed({ noun: getText('noun.offer', 'offer') })).toBe(
      'Failed to save offer. Please try again.',
    )
    expect(numbers.formatNumber(1234.5, 1, '.')).toBe('1\u00a0234.5')
    expect(numbers.formatBytes(2_500_000)).toBe('2.5\u00a0MB')
    expect(formatDay('2026-11-21')).toBe('21.11.2026')
  },
)

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
])(
  'every text, number and day is in the picked language %s',
  async (storedLanguage, submit, failureText, number, bytes, day) => {
    const { root, loadLanguage, authTexts, resourceTexts, numbers, formatDay, getText } = await loadModules(
      createStorage(storedLanguage),
    )
    expect(await loadLanguage()).toBe(true)
    expect(root.lang).toBe(storedLanguage)
    expect(authTexts.login.submit).toBe(submit)
    expect(resourceTexts.saveFailed({ noun: getText('noun.offer', 'offer') })).toBe(failureText)
    expect(numbers.formatNumber(1234.5, 1, storedLanguage === 'en' ? ',' : '.')).toBe(number)
    expect(numbers.formatBytes(2_500_000)).toBe(bytes)
    expect(formatDay('2026-11-21')).toBe(day)
  },
)

test('an amount in English is read as it is shown', async () => {
  const { numbers } = await loadModules(createStorage('en'))
  expect(numbers.groupDigits('1234567.5')).toBe('1,234,567.5')
  expect(numbers.parseDecimal('1,234,567.5', 2)).toBe('1234567.5')
  expect(numbers.parseDecimal('12,5', 2)).toBe('12.5')
  expect(numbers.parseDecimal('-1,234', 2)).toBe('-1234')
  expect(numbers.parseDecimal(' 12,345.67 ', 2)).toBe('12345.67')
})

test('a comma in English that separates no thousands is a decimal mark', async () => {
  const { numbers } = await loadModules(createStorage('en'))
  expect(numbers.parseDecimal('0,50', 2)).toBe('0.50')
  for (const text of ['0,005', '0,500', ',500', '1234,500', '1,2345', '12,345,6', '1 234,567'])
    expect(numbers.parseDecimal(text, 2), text).toBeNull()
})

test('a text is found by its id, and stays as it is without one', async () => {
  const { getText } = await loadModules(createStorage('ru'))
  expect(getText('label.Nobody', 'Nobody')).toBe('Nobody')
  expect(getText('noun.offer', 'offer')).toBe('оффер')
  expect(getText('toString', 'toString')).toBe('toString')
  expect((await loadModules([])).getText('noun.offer', 'offer')).toBe('offer')
})

test('a chosen language is stored with its catalogue and reloads the page; the mix stores nothing', async () => {
  const { kept: storedItems, reload, pickLanguage } = await loadModules([])
  await pickLanguage('uz')
  expect([...storedItems]).toEqual(createStorage('uz'))
  await pickLanguage('')
  expect([...storedItems]).toEqual([])
  expect(reload).toHaveBeenCalledTimes(2)
})

test('a language that is chosen without a connection changes nothing', async () => {
  const { kept: storedItems, reload, pickLanguage } = await loadModules(createStorage('uz'))
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const onReload = vi.fn<() => Promise<void>>()
  await expect(pickLanguage('en', onReload)).rejects.toThrow('Failed to fetch')
  expect([...storedItems]).toEqual(createStorage('uz'))
  expect(onReload).not.toHaveBeenCalled()
  expect(reload).not.toHaveBeenCalled()
})

describe('Stored catalogues', () => {
  test('a page without its stored catalogue fetches it and reloads before it is drawn', async () => {
    const { kept: storedItems, reload, loadLanguage, root } = await loadModules([['language', 'ru']])
    expect(root.lang).toBe('ru')
    expect(await loadLanguage()).toBe(false)
    expect(reload).toHaveBeenCalledOnce()
    expect([...storedItems]).toEqual(createStorage('ru'))
  })

  test.each([
    ['no texts', { language: 'ru', version }],
    ['texts that are null', { language: 'ru', version, texts: null }],
  ])('a page whose stored catalogue has %s fetches it', async (_, catalogue) => {
    const {
      kept: storedItems,
      loadLanguage,
      authTexts,
    } = await loadModules([
      ['language', 'ru'],
      ['language-texts', JSON.stringify(catalogue)],
    ])
    expect(authTexts.login.submit).toBe('Войти')
    expect(await loadLanguage()).toBe(false)
    expect([...storedItems]).toEqual(createStorage('ru'))
  })

  test("a page with another language's catalogue fetches its own", async () => {
    const [, texts] = createStorage('uz')
    const {
      kept: storedItems,
      reload,
      loadLanguage,
      authTexts,
    } = await loadModules([['language', 'en'], ...(texts ? [texts] : [])])
    expect(authTexts.login.submit).toBe('Войти')
    expect(await loadLanguage()).toBe(false)
    expect(reload).toHaveBeenCalledOnce()
    expect([...storedItems]).toEqual(createStorage('en'))
  })

  test('a page with an older catalogue is drawn with it and fetches the new one', async () => {
    const {
      kept: storedItems,
      reload,
      loadLanguage,
      authTexts,
    } = await loadModules(createStorage('uz', 'earlier'))
    expect(await loadLanguage()).toBe(true)
    expect(authTexts.login.submit).toBe('Kirish')
    await vi.waitFor(() => expect([...storedItems]).toEqual(createStorage('uz')), 30_000)
    expect(reload).not.toHaveBeenCalled()
  })

  test('a page that cannot store its catalogue is drawn in the specified mix', async () => {
    const { loadLanguage, reload, authTexts } = await loadModules([['language', 'uz']])
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new Error('The quota is exceeded')
      },
    })
    expect(await loadLanguage()).toBe(true)
    expect(reload).not.toHaveBeenCalled()
    expect(authTexts.login.submit).toBe('Войти')
  })
})
