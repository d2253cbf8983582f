import type { Message } from '@karvon/contract/lib/message.ts'

/** The languages that a person can pick, each by its own name. Empty is the specification's mix. */
export const languages = { '': 'Русский + English', ru: 'Русский', uz: 'O‘zbekcha', en: 'English' } as const
type LanguageChoice = keyof typeof languages
type Language = Exclude<LanguageChoice, ''>

/** The messages of one language by their ids. A message that is missing is shown in the mix. */
export type Catalogue = Readonly<Record<string, Message>>

const catalogues: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  ru: () => import('./ru.json'),
  uz: () => import('./uz.json'),
  en: () => import('./en.json'),
}

/** The keys in local storage: the picked language (absent for the mix) and its catalogue. */
const choiceStorageKey = 'language'
const catalogueStorageKey = 'language-texts'

type StoredCatalogue = { language: string; version: string; texts: Catalogue }

// The address of a built file contains a hash of its imports, including the catalogues.
const version = import.meta.url

function readStorage(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function readPickedLanguage(): LanguageChoice {
  const choice = readStorage(choiceStorageKey)
  return Object.hasOwn(languages, choice) ? (choice as LanguageChoice) : ''
}

function readStoredCatalogue(language: Language): StoredCatalogue | null {
  try {
    const catalogue = JSON.parse(readStorage(catalogueStorageKey)) as StoredCatalogue
    return catalogue.language === language && catalogue.texts ? catalogue : null
  } catch {
    return null
  }
}

/** Loads the catalogue of a language and stores it in the browser. Throws when either fails. */
async function storeCatalogue(language: Language): Promise<void> {
  const { default: texts } = await catalogues[language]()
  localStorage.setItem(
    catalogueStorageKey,
    JSON.stringify({ language, version, texts } satisfies StoredCatalogue),
  )
}

/**
 * The current language, empty for the mix. It never changes on a page, because picking another one reloads
 * the page. Texts may therefore be translated at any time.
 */
export const language = readPickedLanguage()

// The catalogue is in local storage, so that it is there before any text is read. The mix needs none.
const storedCatalogue = language === '' ? null : readStoredCatalogue(language)
if (storedCatalogue) document.documentElement.lang = language

/**
 * Loads the catalogue of the picked language. Returns true when the page can be drawn. A missing catalogue is
 * loaded, and the page reloads. A catalogue of an earlier build is used once more while the new one loads for
 * the next visit.
 */
export async function loadLanguage(): Promise<boolean> {
  if (language === '' || storedCatalogue?.version === version) return true
  const isFetched = storeCatalogue(language).then(
    () => true,
    () => false,
  )
  // If the catalogue cannot be loaded, the mix is better than no page.
  if (storedCatalogue || !(await isFetched)) return true
  location.reload()
  return false
}

/** The message of an id in the picked language. Undefined for the mix and for a missing message. */
export const findMessage = (id: string): Message | undefined =>
  storedCatalogue && Object.hasOwn(storedCatalogue.texts, id) ? storedCatalogue.texts[id] : undefined

/** The text of an id in the picked language, or `text` of the mix. */
export function getText(id: string, text: string): string {
  const message = findMessage(id)
  return typeof message === 'string' ? message : text
}

/** Milliseconds for which the server may not answer. */
const checkTimeoutMs = 5000

/**
 * Stores the picked language and reloads the page. `onReload` is called before that. Throws if the server does not answer, because
 * the reload would then end in an error page of the browser.
 */
export async function pickLanguage(next: string, onReload?: () => Promise<void>): Promise<void> {
  await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(checkTimeoutMs) })
  await onReload?.()
  try {
    localStorage.setItem(choiceStorageKey, next)
    if (next === '') {
      localStorage.removeItem(choiceStorageKey)
      localStorage.removeItem(catalogueStorageKey)
    } else await storeCatalogue(next as Language)
  } catch {
    // The reloaded page tries again. Without storage a choice cannot be kept.
  }
  location.reload()
}
