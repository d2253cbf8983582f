import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Response } from '@playwright/test'

export type Language = 'ru' | 'uz' | 'en'

const folder = join(import.meta.dirname, '..', '..', 'web', 'src', 'lib', 'i18n')
type Catalogue = Readonly<Record<string, string | readonly string[]>>

const catalogueOf = (language: Language): Catalogue =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Catalogue

/** As if somebody had picked a language here before. */
export async function pickBefore(page: Page, language: Language): Promise<void> {
  await page.addInitScript((picked) => {
    if (sessionStorage.getItem('picked')) return
    sessionStorage.setItem('picked', 'yes')
    localStorage.setItem('language', picked)
  }, language)
}

/** Names, formats and units that are written so in every language. */
const names =
  /Karvon Express|Karvon|Русский \+ English|Русский|English|O‘zbekcha|CPA|CSV|csv|Excel|xlsx?|pdf|docx?|URL|API|JSON|HTTP|https?:\/\/|Telegram|[Ee]mail|Ctrl K|UZS|\bOK\b|\bID\b|\b[kMG]B\b|Chrome|Firefox|Safari|Windows|Linux/g
const foreign = { ru: /\p{Script=Latin}/u, uz: /\p{Script=Cyrillic}/u, en: /\p{Script=Cyrillic}/u }

/** Everything of a page's answers that is text: data, which follows no language. */
export function watchData(page: Page): () => Promise<string[]> {
  const bodies: Promise<unknown>[] = []
  page.on('response', (response: Response) => {
    if (/json/.test(response.headers()['content-type'] ?? '')) bodies.push(response.json().catch(() => null))
  })
  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
  }
  return async () => (await Promise.all(bodies)).flatMap(textsIn).filter((text) => /\p{L}/u.test(text))
}

/** What a person can read or hear on the page, the title of the window included. */
const textsOf = (page: Page) =>
  page.evaluate(() => {
    const said = [document.title]
    for (const element of document.querySelectorAll<HTMLElement>('body, body *')) {
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) said.push(node.textContent ?? '')
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'data-label'])
        said.push(element.getAttribute(name) ?? '')
    }
    return [...new Set(said.map((text) => text.trim()))].filter((text) => /\p{L}/u.test(text))
  })

/** The texts of the page that are in another language, `data` and names of the product left aside. */
export async function leftovers(page: Page, language: Language, data: readonly string[]): Promise<string[]> {
  const catalogue = catalogueOf(language)
  const longestFirst = [...new Set(data)].toSorted((a, b) => b.length - a.length)
  return (await textsOf(page)).filter((text) => {
    // A single letter is somebody's initial.
    if (text.length === 1 || longestFirst.includes(text)) return false
    // A value that was cut to fit its column.
    if (text.endsWith('…') && longestFirst.some((each) => each.startsWith(text.slice(0, -1)))) return false
    // A text of the mix whose translation is another.
    const translation = catalogue[text]
    if (translation !== undefined && translation !== text) return !Object.values(catalogue).includes(text)
    const own = longestFirst.reduce((rest, each) => rest.replaceAll(each, ' '), text).replace(names, ' ')
    return foreign[language].test(own)
  })
}
