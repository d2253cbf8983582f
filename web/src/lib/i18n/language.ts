import { translated, translator, type Catalogue } from './catalogue.ts'

/** What a person can pick, each by its own name; empty is the specification's own mix. */
export const languages = { '': 'Русский + English', ru: 'Русский', uz: 'O‘zbekcha', en: 'English' } as const
type Choice = keyof typeof languages
type Language = Exclude<Choice, ''>

const catalogues: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  ru: () => import('./ru.json'),
  uz: () => import('./uz.json'),
  en: () => import('./en.json'),
}

/** Keys in local storage: the choice, none for the mix, and the catalogue of it. */
const choiceKey = 'language'
const textsKey = 'language-texts'

type Kept = { of: string; version: string; texts: Catalogue }

// The address of a built file holds a hash of what it imports, so of the catalogues too.
const version = import.meta.url

function stored(key: string): string {
  try {
    return globalThis.localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function pickedLanguage(): Choice {
  const picked = stored(choiceKey)
  return Object.hasOwn(languages, picked) ? (picked as Choice) : ''
}

function keptTexts(of: Language): Kept | null {
  try {
    const kept = JSON.parse(stored(textsKey)) as Kept
    return kept.of === of ? kept : null
  } catch {
    return null
  }
}

/** Fetches the catalogue of a language and keeps it in the browser. Throws where either cannot be done. */
async function keepTexts(of: Language): Promise<void> {
  const { default: texts } = await catalogues[of]()
  globalThis.localStorage.setItem(textsKey, JSON.stringify({ of, version, texts } satisfies Kept))
}

/**
 * The language of now, empty for the mix. It never changes while the page lives (picking another one loads the
 * page anew), so texts may be read anywhere and at any time.
 */
export const language = pickedLanguage()

// Kept in the browser, so that it is there before any text is read and costs the mix nothing.
const kept = language === '' ? null : keptTexts(language)
const translate = kept && translator(kept.texts, language)
if (kept) document.documentElement.lang = language

/**
 * Sees to the catalogue of the language that was picked: true once the page can be drawn. Without one it is fetched,
 * and the page loaded anew; one of an earlier build serves once more while that of now is fetched for the next load.
 */
export async function hasLanguage(): Promise<boolean> {
  if (language === '' || kept?.version === version) return true
  const fetched = keepTexts(language).then(
    () => true,
    () => false,
  )
  // Where it cannot be fetched the mix is better than no page.
  if (kept || !(await fetched)) return true
  globalThis.location.reload()
  return false
}

/** Texts in the language that was picked; as they are where none was. Every `*.texts.ts` exports by it. */
export const speak = <T>(texts: T): T => (translate ? translated(texts, translate) : texts)

/** The same where a word has its like elsewhere: the name of a person and that of an offer are two words in Russian. */
export const speakAt = <T>(place: string, texts: T): T =>
  translate ? translated(texts, (text) => translate(text, place)) : texts

/** For words that others say, a courier's statuses: translated when they are known to the letter, else left alone. */
export function speakWord(word: string): string {
  const known = kept && Object.hasOwn(kept.texts, word) ? kept.texts[word] : word
  return typeof known === 'string' ? known : word
}

/** Keeps the choice and shows the page in it. */
export async function pickLanguage(next: string): Promise<void> {
  try {
    globalThis.localStorage.setItem(choiceKey, next)
    if (next === '') {
      globalThis.localStorage.removeItem(choiceKey)
      globalThis.localStorage.removeItem(textsKey)
    } else await keepTexts(next as Language)
  } catch {
    // The fresh load tries once more; where storage is blocked, there is nowhere to keep a choice.
  }
  globalThis.location.reload()
}
