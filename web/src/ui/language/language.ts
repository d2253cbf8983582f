import { translated, translator, type Catalogue } from './catalogue.ts'

/** The languages that a person can pick, each by its own name. */
export const languages = { ru: 'Русский', uz: 'O‘zbekcha', en: 'English' } as const
export type Language = keyof typeof languages

/** The key of the choice in local storage; nothing there is the specification's own mix. */
const languageKey = 'language'

const catalogues: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  ru: () => import('./ru.json'),
  uz: () => import('./uz.json'),
  en: () => import('./en.json'),
}

function pickedLanguage(): Language | null {
  try {
    const saved = globalThis.localStorage.getItem(languageKey) ?? ''
    return Object.hasOwn(languages, saved) ? (saved as Language) : null
  } catch {
    return null
  }
}

/**
 * The language of now, null for the mix. It never changes while the page lives (picking another one loads the
 * page anew), so texts may be read anywhere and at any time.
 */
export const language = pickedLanguage()

// Whatever imports this module waits here: texts are translated before anything is drawn. Without a catalogue
// (the network broke off) the mix is better than no page.
const translate =
  language && translator((await catalogues[language]().catch(() => ({ default: {} }))).default, language)
if (language) document.documentElement.lang = language

/** Texts in the language that was picked; as they are where none was. Every `*.texts.ts` exports by it. */
export function speak<T>(texts: T): T {
  return translate ? translated(texts, translate) : texts
}

/** Keeps the choice (null for the mix) and shows the page in it. */
export function pickLanguage(next: Language | null): void {
  try {
    if (next) globalThis.localStorage.setItem(languageKey, next)
    else globalThis.localStorage.removeItem(languageKey)
  } catch {
    // Storage is blocked: there is nowhere to keep a choice.
    return
  }
  globalThis.location.reload()
}
