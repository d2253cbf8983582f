import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '@karvon/contract/registry.ts'
import { expect, type Page, type Response } from '@playwright/test'

export type Language = 'ru' | 'uz' | 'en'

const web = join(import.meta.dirname, '..', '..', 'web', 'src')

/** All texts in a value. A React context refers to itself and has none. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || '$$typeof' in value) return []
  return Object.values(value).flatMap(listTexts)
}

/** The texts of a language's catalogue. */
const readCatalogue = (language: Language): ReadonlySet<string> =>
  new Set(listTexts(JSON.parse(readFileSync(join(web, 'lib', 'i18n', `${language}.json`), 'utf8'))))

let mixTexts: Promise<ReadonlySet<string>> | undefined

/** The texts of the web and the labels of the contract in the specification's mix of languages. */
async function loadMixTexts(): Promise<ReadonlySet<string>> {
  const files = globSync(['**/*.texts.ts', 'components/texts.ts'], { cwd: web })
  const modules: unknown[] = await Promise.all(files.map((file) => import(join(web, file))))
  const labels = resources.flatMap(({ title, fields }) => [
    title,
    ...Object.values(fields).flatMap((field) => (field.kind === 'alias' ? [] : [field.label])),
  ])
  return new Set([...modules.flatMap(listTexts), ...labels])
}

/** Stores a chosen language before the first screen. */
export async function presetLanguage(page: Page, language: Language): Promise<void> {
  await page.addInitScript((chosenLanguage) => {
    if (sessionStorage.getItem('picked')) return
    sessionStorage.setItem('picked', 'yes')
    localStorage.setItem('language', chosenLanguage)
  }, language)
}

/** Names, formats and units that are the same in every language. */
const names =
  /Karvon Express|Karvon|Русский \+ English|Русский|English|O‘zbekcha|CPA|CSV|csv|Excel|xlsx?|pdf|docx?|URL|API|JSON|HTTP|https?:\/\/|Telegram|[Ee]mail|Ctrl K|UZS|\bOK\b|\bID\b|\b[kMG]B\b|Chrome|Firefox|Safari|Windows|Linux/g
const foreign = { ru: /\p{Script=Latin}/u, uz: /\p{Script=Cyrillic}/u, en: /\p{Script=Cyrillic}/u }

/** Collects the texts in the answers that a page receives. Data has no language. */
export function collectData(page: Page): () => Promise<string[]> {
  const bodies: Promise<unknown>[] = []
  page.on('response', (response: Response) => {
    if (/json/.test(response.headers()['content-type'] ?? '')) bodies.push(response.json().catch(() => null))
  })
  const extractTexts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(extractTexts) : []
  }
  return async () => (await Promise.all(bodies)).flatMap(extractTexts).filter((text) => /\p{L}/u.test(text))
}

/** All texts of the page that a person can read or hear, and its title. */
const readVisibleTexts = (page: Page) =>
  page.evaluate(() => {
    const texts = [document.title]
    for (const element of document.querySelectorAll<HTMLElement>('body, body *')) {
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '')
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'data-label'])
        texts.push(element.getAttribute(name) ?? '')
    }
    return [...new Set(texts.map((text) => text.trim()))].filter((text) => /\p{L}/u.test(text))
  })

/** Finds texts of the page in another language. Ignores `data` and names. */
export async function findForeignTexts(
  page: Page,
  language: Language,
  data: readonly string[],
): Promise<string[]> {
  const catalogue = readCatalogue(language)
  const mix = await (mixTexts ??= loadMixTexts())
  const longestFirst = [...new Set(data)].toSorted((a, b) => b.length - a.length)
  return (await readVisibleTexts(page)).filter((text) => {
    // A single letter is an initial of a name.
    if (text.length === 1 || longestFirst.includes(text)) return false
    // A value that was cut to fit its column.
    if (text.endsWith('…') && longestFirst.some((knownText) => knownText.startsWith(text.slice(0, -1))))
      return false
    // A text of the mix that has no translation. English ones need none into English.
    const words = text.replace(names, ' ')
    if (language !== 'en' && mix.has(text) && !catalogue.has(text) && /\p{L}/u.test(words))
      return language === 'uz' || foreign[language].test(words)
    const remainder = longestFirst
      .reduce((rest, knownText) => rest.replaceAll(knownText, ' '), text)
      .replace(names, ' ')
    return foreign[language].test(remainder)
  })
}

/** Waits for the page and its first rows. */
export async function waitUntilDrawn(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  // The code of the page may still be loading, and there is no table yet.
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy=true]:is(table, [role=table])')).toHaveCount(0)
}
