import { translated, translator, type Catalogue } from './catalogue.ts'

/** What a person can pick, each by its own name; empty is the specification's own mix. */
export const languages = { '': 'Русский + English', ru: 'Русский', uz: 'O‘zbekcha', en: 'English' } as const
type Choice = keyof typeof languages
type Language = Exclude<Choice, ''>

/** The key of the choice in local storage; nothing there is the mix. */
const languageKey = 'language'

const catalogues: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  ru: () => import('./ru.json'),
  uz: () => import('./uz.json'),
  en: () => import('./en.json'),
}

function pickedLanguage(): Choice {
  try {
    const saved = globalThis.localStorage.getItem(languageKey) ?? ''
    return Object.hasOwn(languages, saved) ? (saved as Choice) : ''
  } catch {
    return ''
  }
}

/**
 * The language of now, empty for the mix. It never changes while the page lives (picking another one loads the
 * page anew), so texts may be read anywhere and at any time.
 */
export const language = pickedLanguage()

// Whatever imports this module waits here: texts are translated before anything is drawn. Without a catalogue
// (the network broke off) the mix is better than no page.
const translate =
  language && translator((await catalogues[language]().catch(() => ({ default: {} }))).default, language)
if (language) document.documentElement.lang = language

/**
 * Texts in the language that was picked; as they are where none was. Every `*.texts.ts` exports by it.
 */
export const speak = <T>(texts: T): T => (translate ? translated(texts, translate) : texts)

/** The same where a word has its like elsewhere: the name of a person and that of an offer are two words in Russian. */
export const speakAt = <T>(place: string, texts: T): T =>
  translate ? translated(texts, (text) => translate(text, place)) : texts

/** Keeps the choice and shows the page in it. */
export function pickLanguage(next: string): void {
  try {
    if (next) globalThis.localStorage.setItem(languageKey, next)
    else globalThis.localStorage.removeItem(languageKey)
  } catch {
    // Storage is blocked: there is nowhere to keep a choice.
    return
  }
  globalThis.location.reload()
}
